import type { Account } from '../demoData.ts';

/** A visit of a URL. Each visit has an id of its own, so that React creates the view anew. */
export type Visit = { id: number; hash: string; account: Account | undefined };
