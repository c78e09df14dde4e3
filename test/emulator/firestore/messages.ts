/** The parts of Firestore's protocol that the gateway itself reads; the engine reads the rest. */

/** Bytes that name a transaction. */
export type TransactionId = Uint8Array;

export interface TransactionOptions {
  readonly readOnly?: object | null;
  readonly readWrite?: object | null;
}

/** How a read says which transaction it belongs to, if any. */
export interface TransactionSelector {
  transaction?: TransactionId;
  newTransaction?: TransactionOptions;
}

export interface FieldMask {
  readonly fieldPaths?: readonly string[];
}

/** The value of a field; only maps are looked into. */
export interface Value {
  readonly mapValue?: { readonly fields?: Fields | null } | null;
}

export type Fields = Readonly<Record<string, Value>>;

export interface Document {
  readonly name: string;
  readonly fields?: Fields | null | undefined;
}

export interface Write {
  readonly update?: Document | null;
  readonly delete?: string | null;
}

interface FieldReference {
  readonly fieldPath: string;
}

export interface Filter {
  readonly compositeFilter?: { readonly op: string; readonly filters: readonly Filter[] } | null;
  readonly fieldFilter?: { readonly field: FieldReference; readonly op: string } | null;
  readonly unaryFilter?: { readonly field: FieldReference; readonly op: string } | null;
}

export interface StructuredQuery {
  readonly select?: { readonly fields?: readonly FieldReference[] } | null;
  readonly from?: readonly { readonly collectionId?: string; readonly allDescendants?: boolean }[];
  readonly where?: Filter | null;
  readonly orderBy?: readonly { readonly field: FieldReference; readonly direction?: string }[];
  readonly offset?: number;
  limit?: { readonly value?: number } | null;
}

export interface DatabaseRequest {
  readonly database: string;
}

export interface GetDocumentRequest {
  readonly name: string;
  readonly mask?: FieldMask | null;
}

export interface BatchGetRequest extends DatabaseRequest, TransactionSelector {
  readonly documents?: readonly string[];
  readonly mask?: FieldMask | null;
}

export interface BatchGetResponse {
  readonly found?: Document | null;
  readonly missing?: string;
  readonly readTime?: object;
  transaction?: TransactionId;
}

export interface BeginTransactionRequest extends DatabaseRequest {
  readonly options?: TransactionOptions | null;
}

export interface RollbackRequest extends DatabaseRequest {
  readonly transaction: TransactionId;
}

export interface CommitRequest extends DatabaseRequest {
  transaction?: TransactionId;
  readonly writes?: readonly Write[];
}

export interface BatchWriteRequest extends DatabaseRequest {
  readonly writes?: readonly Write[];
}

export interface BatchWriteResponse {
  readonly status?: readonly { readonly code?: number }[];
}

export interface RunQueryRequest extends TransactionSelector {
  readonly parent: string;
  readonly structuredQuery: StructuredQuery;
}

export interface RunQueryResponse {
  readonly document?: Document | null;
}

interface Aggregation {
  readonly alias: string;
}

export interface RunAggregationRequest extends TransactionSelector {
  readonly parent: string;
  readonly structuredAggregationQuery: {
    readonly structuredQuery: StructuredQuery;
    readonly aggregations: readonly Aggregation[];
  };
}

export interface RunAggregationResponse {
  readonly result?: {
    readonly aggregateFields?: Record<string, { readonly integerValue?: string | number }>;
  } | null;
}

export interface ListDocumentsRequest {
  readonly parent: string;
  readonly collectionId: string;
  readonly mask?: FieldMask | null;
  readonly showMissing?: boolean;
}

export interface ListCollectionIdsRequest {
  readonly parent: string;
}

export interface ListenRequest extends DatabaseRequest {
  readonly addTarget?: object | null;
}

export interface ListenResponse {
  readonly documentChange?: { readonly targetIds?: readonly number[] } | null;
}
