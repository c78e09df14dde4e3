import { useMutation } from '@tanstack/react-query';
import { useState, type ComponentType, type KeyboardEvent, type MouseEvent } from 'react';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { STALE_LIST_MESSAGES } from '../errors.ts';
import { passFocus } from '../focus.ts';
import { LoadMoreButton, type PagedList } from './lists.tsx';
import { notify, type Notice } from './notices.tsx';
import { pictureTitle, type CardProps, type Picture } from './PictureCard.tsx';

/** Changes the selected items. Resolves with what it has done, if it has done anything. */
type Action<Item> = (items: Item[]) => Promise<Notice | undefined>;

interface PictureSectionProps<Item> {
  title: string;
  list: PagedList<Item>;
  Card: ComponentType<CardProps<Item> & { index: number }>;
  /** What can be done with selected pictures. */
  actions?: Record<string, Action<Item>>;
  children?: ReactNode;
}

/**
 * A list of pictures, with buttons for the selected ones. Enter leads from a picture to the buttons: with Tab there may be
 * hundreds of steps.
 */
export function PictureSection<Item extends Picture>(props: PictureSectionProps<Item>) {
  const { title, list, Card, actions, children } = props;
  const { items, total, hasNextPage } = list;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const selectedItems = items.filter(({ id }) => selected.has(id));
  const hasSelection = selectedItems.length > 0;

  const { isPending, mutate } = useMutation({
    mutationFn: async (button: HTMLButtonElement) => {
      const boxes = button.closest('section')?.getElementsByTagName('input') ?? [];
      const last = [...boxes].findLast(({ checked }) => checked);
      const viaKeyboard = button.matches(':focus-visible');
      const ids = new Set(selectedItems.map(({ id }) => id));
      const notice = await actions?.[button.value]?.(selectedItems);
      if (!notice) return;
      // Renders the changed list now: a picture that was removed cannot get the focus.
      flushSync(() => setSelected((former) => former.difference(ids)));
      if (viaKeyboard) passFocus(button, last?.isConnected ? last : boxes[0]);
      notify(notice);
    },
    meta: { errors: STALE_LIST_MESSAGES },
  });

  const start = ({ currentTarget }: MouseEvent<HTMLButtonElement>) =>
    isPending || mutate(currentTarget);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    document.querySelector<HTMLElement>('section:has(:focus) .selection button')?.focus();
  };

  return (
    <section>
      <h2>
        {title} <span className="count">{hasNextPage ? total : items.length}</span>
      </h2>
      {children}
      <ul role="list" className="pictures">
        {items.map((item, index) => (
          <Card key={item.id} item={item} index={index}>
            {actions && (
              <input
                type="checkbox"
                aria-label={`Select: ${pictureTitle(item)}`}
                checked={selected.has(item.id)}
                onKeyDown={onKeyDown}
                onChange={() => setSelected(selected.symmetricDifference(new Set([item.id])))}
              />
            )}
          </Card>
        ))}
      </ul>
      {items.length === 0 && <p className="hint">Nothing here yet.</p>}
      <LoadMoreButton label="Show more" list={list} />
      <div className="row selection">
        <span role="status">
          {hasSelection && `${selectedItems.length} selected.`}
          {hasSelection && <span className="keys"> Press Enter to choose what to do.</span>}
        </span>
        {hasSelection &&
          Object.keys(actions ?? {}).map((name) => (
            // A disabled button would lose the focus.
            <button key={name} value={name} aria-busy={isPending} onClick={start}>
              {name}
            </button>
          ))}
      </div>
    </section>
  );
}
