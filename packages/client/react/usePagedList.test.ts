/** Tests how the components of a screen read a list. */
import { text } from 'node:stream/consumers';
import { createElement, Suspense } from 'react';
import { prerenderToNodeStream } from 'react-dom/static';
import type { MarketplaceClient } from '@tattoo-marketplace/client';
import { openScreen, ScreenContext, type Screen } from './screen.ts';
import { usePagedList } from './usePagedList.ts';

const list = jest.fn(({ id }: { readonly id: string; cursor?: string }) =>
  Promise.resolve({ items: [{ id: `${id}-1` }, { id: `${id}-2` }], hasMore: false }),
);

function Items({ id }: { readonly id: string }) {
  const { items } = usePagedList(list, { id }, 'items');
  return items.map((item) => item.id).join();
}

/** Renders components with these lists in a screen, when all are loaded. */
async function render(screen: Screen, ...ids: readonly string[]): Promise<string> {
  const components = ids.map((id, index) => createElement(Items, { key: index, id }));
  const view = createElement(Suspense, null, components);
  const element = createElement(ScreenContext, { value: screen }, view);
  const { prelude } = await prerenderToNodeStream(element);
  return text(prelude);
}

beforeEach(() => list.mockClear());

test('a component suspends until the first page is there, which is read with the signal of the screen', async () => {
  const screen = openScreen({} as MarketplaceClient);

  expect(await render(screen, 'x')).toContain('x-1,x-2');
  expect(list).toHaveBeenCalledTimes(1);
  expect(list).toHaveBeenCalledWith(
    { id: 'x' },
    expect.objectContaining({ signal: screen.signal }),
  );
});

test('components with the same input share a list, and components with another input do not', async () => {
  await render(openScreen({} as MarketplaceClient), 'x', 'x', 'y');

  expect(list.mock.calls.map(([{ id }]) => id)).toEqual(['x', 'y']);
});

test('another screen reads the list again', async () => {
  await render(openScreen({} as MarketplaceClient), 'x');
  await render(openScreen({} as MarketplaceClient), 'x');

  expect(list).toHaveBeenCalledTimes(2);
});
