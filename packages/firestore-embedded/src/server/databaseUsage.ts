/** The reads and writes of firestore-rest in a project, as Firestore bills them (https://firebase.google.com/docs/firestore/pricing). */
export class DatabaseUsage {
  reads = 0;
  /** Includes deletes. */
  writes = 0;
  /** The number of calls, by method: `runQuery`, `commit`, … */
  readonly calls: Record<string, number> = {};

  /** Adds the reads of a query: one for each document, or for each 1000 documents of an aggregation, and at least one. */
  addQuery(documents: number, isAggregation = false): void {
    this.reads += Math.max(1, isAggregation ? Math.ceil(documents / 1000) : documents);
  }
}
