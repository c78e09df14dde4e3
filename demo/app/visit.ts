import type { Screen } from '#hooks/screen.ts';
import type { Account } from '../demoData.ts';

/** A visit of a URL. Each visit has a screen of its own, so that React creates the view anew. */
export type Visit = Screen & { hash: string; account: Account | undefined };
