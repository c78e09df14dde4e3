import { MarketplaceError } from './error.ts';
import type { Caller, CallOptions } from './types.ts';

/** The pages of a list. */
export interface Pages<Page> {
  /**
   * Reads the next page; `done` is true after the last one. If it fails, the next call reads the same page again. If it
   * is called while another call reads, it waits for that one.
   *
   * Rejects with `cursor-not-found` if the last item of the previous page was deleted, or if cached
   * pages of different ages form a cycle. Then read the list again from the first page.
   */
  readonly next: () => Promise<IteratorResult<Page, undefined>>;
  [Symbol.asyncIterator](): Pages<Page>;
}

/** Excludes an argument from type inference, like `NoInfer`, which needs TypeScript 5.4. */
type NotInferred<Type> = Type & {};

/**
 * Reads a list page by page: `pages(client.flash.listByArtist, { id, limit: 50 })`, with `for await`, or with `next()`
 * for each further page. A page may have fewer items than `limit`: only `hasMore` tells whether it is the last. If the
 * list changes meanwhile, an item may come twice.
 */
export function pages<
  ListInput extends { cursor?: string | undefined },
  Page extends { nextCursor?: string | undefined },
>(
  list: (input: ListInput, options?: CallOptions) => Promise<Page>,
  input: NotInferred<ListInput>,
  options?: CallOptions,
): Pages<Page> {
  const caller: Caller = {};
  /** The cursors of all pages that have been read. */
  const readCursors = new Set<string | undefined>();
  let { cursor } = input;
  let isDone = false;
  let lastRead: Promise<unknown> = Promise.resolve();

  const read = async (): Promise<IteratorResult<Page, undefined>> => {
    if (isDone) return { value: undefined, done: true };
    if (readCursors.has(cursor)) {
      throw new MarketplaceError(
        'The list changed while it was read: its pages form a cycle. Start again from the first page.',
        { status: 400, code: 'cursor-not-found' },
      );
    }
    const value = await list({ ...input, cursor }, { caller, ...options });
    readCursors.add(cursor);
    cursor = value.nextCursor;
    isDone = cursor === undefined;
    return { value, done: false };
  };

  return {
    next: () => {
      // One read at a time, whether or not the one before it succeeds.
      const next = lastRead.then(read, read);
      lastRead = next;
      return next;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
