/** What our own client uses of a project, as Firestore bills it (https://firebase.google.com/docs/firestore/pricing). */
export class Usage {
  reads = 0;
  /** Deletes, too. */
  writes = 0;
  /** How often each call was made: `runQuery`, `commit`, … */
  readonly calls: Record<string, number> = {};

  /** A query costs a read per document, an aggregation one per 1000 documents, and both at least one. */
  addQuery(found: number, isAggregation = false): void {
    this.reads += Math.max(1, isAggregation ? Math.ceil(found / 1000) : found);
  }
}
