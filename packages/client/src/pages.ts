import { MarketplaceError } from './error.ts';
import type { Caller, CallOptions } from './types.ts';

/** The pages of a list. */
export interface Pages<Page> {
  /**
   * Reads the next page. `done` is true after the last page. After a failure, the next call reads the same page again.
   * Concurrent calls read one page after the other.
   *
   * Rejects with `cursor-not-found` if the last item of the previous page was deleted, or if cached
   * pages of different ages form a cycle. In both cases, read the list again from the first page.
   */
  readonly next: () => Promise<IteratorResult<Page, undefined>>;
  [Symbol.asyncIterator](): Pages<Page>;
}

/** Excludes an argument from type inference, like `NoInfer`, which needs TypeScript 5.4. */
type NotInferred<Type> = Type & {};

/**
 * Reads a list page by page: `pages(client.flash.listByArtist, { id, limit: 50 })`. Iterate over the pages with
 * `for await`, or call `next()` for each page, as in React Native, whose engine may lack `Symbol.asyncIterator`. A page
 * may have fewer items than `limit` although `hasMore` is true. If the list changes meanwhile, an item may be returned
 * twice.
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
  /** The cursors of the pages that were read. */
  const readCursors = new Set<string | undefined>();
  let { cursor } = input;
  let isDone = false;
  let lastRead: Promise<unknown> = Promise.resolve();

  const readNextPage = async (): Promise<IteratorResult<Page, undefined>> => {
    if (isDone) return { value: undefined, done: true };
    if (readCursors.has(cursor)) throw createCycleError();
    const page = await list({ ...input, cursor }, { caller, ...options });
    readCursors.add(cursor);
    cursor = page.nextCursor;
    isDone = cursor === undefined;
    return { value: page, done: false };
  };

  return {
    next: () => {
      // Each read starts when the previous one has succeeded or failed.
      const result = lastRead.then(readNextPage, readNextPage);
      lastRead = result;
      return result;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Creates the error of a page that was read before: cached pages of different ages may refer to each other. */
export function createCycleError(): MarketplaceError {
  return new MarketplaceError(
    'The list changed while it was read: its pages form a cycle. Start again from the first page.',
    { status: 400, code: 'cursor-not-found' },
  );
}
