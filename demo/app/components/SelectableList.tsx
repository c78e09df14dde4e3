import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import type { FlashListing, GalleryPhoto } from '@tattoo-marketplace/client';
import { STALE_LIST_MESSAGES } from '../api/errorMessages.ts';
import { useSession } from '../session.ts';
import { Pictures } from './controls.tsx';
import { pictureTitle } from './PictureCard.tsx';

/** Changes the items with these ids. Resolves with what it has done and how to revert it, if it has done anything. */
type Action = (
  ids: string[],
) => Promise<{ text: string; undo?: (() => unknown) | undefined } | undefined>;

interface SelectableListProps<Item> {
  items: readonly Item[];
  card: (item: Item, checkbox: ReactNode, index: number) => ReactNode;
  actions: Record<string, Action>;
}

/**
 * A list of pictures, with buttons for the selected ones. Enter leads from a picture to the buttons: with Tab there may be
 * hundreds of steps.
 */
export function SelectableList<Item extends FlashListing | GalleryPhoto>(
  props: SelectableListProps<Item>,
) {
  const { items, card, actions } = props;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isRunning, setRunning] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const { run, notify } = useSession();
  const ids = items.map(({ id }) => id).filter((id) => selected.has(id));

  const runAction = async (action: Action) => {
    const viaKeyboard = document.activeElement?.matches(':focus-visible') ?? false;
    const last = [...(list.current?.querySelectorAll<HTMLElement>('input:checked') ?? [])].at(-1);
    let result: Awaited<ReturnType<Action>>;
    setRunning(true);
    await run(async () => (result = await action(ids)), undefined, STALE_LIST_MESSAGES);
    // Renders the changed list now: a picture that was removed cannot get the focus.
    flushSync(() => {
      setRunning(false);
      if (result) setSelected(new Set());
    });
    if (viaKeyboard) (last?.isConnected ? last : list.current?.querySelector('input'))?.focus();
    if (result) notify(result.text, { undo: result.undo, viaKeyboard });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const isCheckbox = event.target instanceof HTMLInputElement;
    if (event.key !== 'Enter' || ids.length === 0 || !isCheckbox) return;
    event.preventDefault();
    bar.current?.querySelector('button')?.focus();
  };

  const cards = items.map((item, index) => {
    const label = `Select: ${pictureTitle(item)}`;
    const checked = selected.has(item.id);
    const toggle = () => setSelected(selected.symmetricDifference(new Set([item.id])));
    const box = <input type="checkbox" aria-label={label} checked={checked} onChange={toggle} />;
    return card(item, box, index);
  });
  return (
    <>
      <Pictures cards={cards} ref={list} onKeyDown={onKeyDown} />
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
