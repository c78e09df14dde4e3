import { useRef, useState, type ComponentType, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { STALE_LIST_MESSAGES } from '../api/errorMessages.ts';
import { List } from './controls.tsx';
import { useNotify, useRun, type Notice } from './notices.tsx';
import { pictureTitle, type CardProps, type Picture } from './PictureCard.tsx';

/** Changes the items with these ids. Resolves with what it has done, if it has done anything. */
type Action = (ids: string[]) => Promise<Notice | undefined>;

interface SelectableListProps<Item> {
  items: readonly Item[];
  Card: ComponentType<CardProps<Item> & { index: number }>;
  actions: Record<string, Action>;
}

/**
 * A list of pictures, with buttons for the selected ones. Enter leads from a picture to the buttons: with Tab there may be
 * hundreds of steps.
 */
export function SelectableList<Item extends Picture>({
  items,
  Card,
  actions,
}: SelectableListProps<Item>) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isRunning, setRunning] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const run = useRun();
  const notify = useNotify();
  const ids = items.map(({ id }) => id).filter((id) => selected.has(id));

  const runAction = async (action: Action) => {
    const viaKeyboard = document.activeElement?.matches(':focus-visible') ?? false;
    const last = [...(list.current?.querySelectorAll<HTMLElement>('input:checked') ?? [])].at(-1);
    let notice: Notice | undefined;
    setRunning(true);
    await run(async () => (notice = await action(ids)), undefined, STALE_LIST_MESSAGES);
    // Renders the changed list now: a picture that was removed cannot get the focus.
    flushSync(() => {
      setRunning(false);
      if (notice) setSelected(new Set());
    });
    if (viaKeyboard) (last?.isConnected ? last : list.current?.querySelector('input'))?.focus();
    if (notice) notify(notice);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const isCheckbox = event.target instanceof HTMLInputElement;
    if (event.key !== 'Enter' || ids.length === 0 || !isCheckbox) return;
    event.preventDefault();
    bar.current?.querySelector('button')?.focus();
  };

  const cards = items.map((item, index) => (
    <Card key={item.id} item={item} index={index}>
      <input
        type="checkbox"
        aria-label={`Select: ${pictureTitle(item)}`}
        checked={selected.has(item.id)}
        onChange={() => setSelected(selected.symmetricDifference(new Set([item.id])))}
      />
    </Card>
  ));
  return (
    <>
      <List className="pictures" hint="Nothing here yet." ref={list} onKeyDown={onKeyDown}>
        {cards}
      </List>
      <div className="row selection" hidden={ids.length === 0} ref={bar}>
        <span role="status">
          {`${ids.length} selected.`}
          <span className="keys"> Press Enter to choose what to do.</span>
        </span>
        {Object.entries(actions).map(([label, action]) => (
          <button key={label} disabled={isRunning} onClick={() => runAction(action)}>
            {label}
          </button>
        ))}
      </div>
    </>
  );
}
