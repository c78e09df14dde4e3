import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ComponentType, KeyboardEvent, ReactNode } from 'react';
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
  const { title, list, Card, actions = {}, children } = props;
  const { items, total, hasNextPage } = list;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const selectedItems = items.filter(({ id }) => selected.has(id));
  const hasSelection = selectedItems.length > 0;
  const { isPending, mutateAsync } = useMutation({
    mutationFn: (action: Action<Item>) => action(selectedItems),
    meta: { errors: STALE_LIST_MESSAGES },
  });

  const start = async (action: Action<Item>, button: HTMLElement) => {
    if (isPending) return;
    const section = button.closest('section');
    const query = (selector: string) => section?.querySelector<HTMLElement>(selector);
    const viaKeyboard = button.matches(':focus-visible');
    const ids = new Set(selectedItems.map(({ id }) => id));
    const notice = await mutateAsync(action).catch(() => undefined);
    // Renders the changed list now: a picture that was removed cannot get the focus.
    flushSync(() => notice && setSelected((former) => former.difference(ids)));
    const lastId = CSS.escape(selectedItems.at(-1)?.id ?? '');
    const next = query(`[data-id="${lastId}"] input`) ?? query('input');
    if (viaKeyboard) passFocus(button, next);
    if (notice) notify(notice);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target } = event;
    if (key !== 'Enter' || !hasSelection || !(target instanceof HTMLInputElement)) return;
    event.preventDefault();
    target.closest('section')?.querySelector<HTMLElement>('.selection button')?.focus();
  };

  return (
    <section>
      <h2>
        {title} <span className="count">{hasNextPage ? total : items.length}</span>
      </h2>
      {children}
      <ul role="list" className="pictures" onKeyDown={onKeyDown}>
        {items.map((item, index) => (
          <Card key={item.id} item={item} index={index}>
            {props.actions && (
              <input
                type="checkbox"
                aria-label={`Select: ${pictureTitle(item)}`}
                checked={selected.has(item.id)}
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
          Object.entries(actions).map(([label, action]) => (
            // A disabled button would lose the focus.
            <button
              key={label}
              aria-busy={isPending}
              onClick={(event) => start(action, event.currentTarget)}
              children={label}
            />
          ))}
      </div>
    </section>
  );
}
