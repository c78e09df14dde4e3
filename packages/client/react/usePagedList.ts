import { use, useSyncExternalStore } from 'react';
import { pages, type CallOptions } from '@tattoo-marketplace/client';
import {
  openPagedList,
  type ListPage,
  type PagedListActions,
  type PagedListState,
} from './pagedList.ts';
import { useScreen } from './screen.ts';

/** A list that is read page by page. */
export type PagedList<Item> = PagedListState<Item> & PagedListActions<Item>;

/**
 * Reads the first page of a list, or all pages. Until then the component suspends. `field` names the field of a page that has
 * its items.
 */
export function usePagedList<
  Input extends { cursor?: string | undefined },
  Field extends string,
  Item extends { readonly id: string },
>(
  list: (input: Input, options?: CallOptions) => Promise<ListPage<Field, Item>>,
  input: NoInfer<Input>,
  field: Field,
  { all = false } = {},
): PagedList<Item> {
  const { readOnce, signal } = useScreen();
  const name = `${field} ${JSON.stringify(input)}`;
  const openPages = () => pages(list, input, { signal });
  const { getState, subscribe, actions } = use(
    readOnce(name, () => openPagedList(openPages, field, { all })),
  );
  return { ...useSyncExternalStore(subscribe, getState, getState), ...actions };
}
