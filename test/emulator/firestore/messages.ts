/** The parts of Firestore's protocol that the gateway reads; the engine reads the rest. */
import type { Time } from './clock.ts';

/** The id of a transaction. */
export type TransactionId = Uint8Array;

export interface TransactionOptions {
  readonly readOnly?: object | null;
  readonly readWrite?: object | null;
}

/** How a read names its transaction, if any. */
export interface TransactionSelector {
  transaction?: TransactionId;
  newTransaction?: TransactionOptions;
}

export interface FieldMask {
  readonly fieldPaths?: readonly string[];
}

/** The value of a field; exactly one of these is set. */
export interface Value {
  readonly nullValue?: 'NULL_VALUE' | null;
  readonly booleanValue?: boolean | null;
  /** As decimal digits, because a double cannot represent every 64-bit integer. */
  readonly integerValue?: string | number | null;
  readonly doubleValue?: number | null;
  readonly timestampValue?: Time | null;
  readonly stringValue?: string | null;
  readonly bytesValue?: Uint8Array | null;
  readonly referenceValue?: string | null;
  readonly geoPointValue?: { readonly latitude?: number; readonly longitude?: number } | null;
  readonly arrayValue?: ArrayValue | null;
  readonly mapValue?: { readonly fields?: Fields | null } | null;
}

export interface ArrayValue {
  readonly values?: readonly Value[] | null;
}

export type Fields = Readonly<Record<string, Value>>;

export interface Document {
  readonly name: string;
  readonly fields?: Fields | null | undefined;
  readonly createTime?: Time | null;
  readonly updateTime?: Time | null;
}

export interface FieldTransform {
  readonly fieldPath?: string;
  readonly setToServerValue?: string | null;
  readonly increment?: Value | null;
  readonly maximum?: Value | null;
  readonly minimum?: Value | null;
  readonly appendMissingElements?: ArrayValue | null;
  readonly removeAllFromArray?: ArrayValue | null;
}

export interface Write {
  readonly update?: Document | null;
  readonly updateMask?: FieldMask | null;
  readonly updateTransforms?: readonly FieldTransform[] | null;
  readonly delete?: string | null;
  readonly transform?: {
    readonly document?: string;
    readonly fieldTransforms?: readonly FieldTransform[];
  } | null;
  readonly currentDocument?: {
    readonly exists?: boolean | null;
    readonly updateTime?: Time | null;
  } | null;
}

export interface WriteResult {
  readonly updateTime?: Time;
  readonly transformResults?: readonly Value[];
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

export interface RunQueryRequest extends TransactionSelector {
  readonly parent: string;
  readonly structuredQuery?: StructuredQuery | null;
}

export interface RunQueryResponse {
  readonly document?: Document | null;
  readonly readTime?: Time;
  readonly done?: boolean;
}

interface Aggregation {
  readonly alias: string;
}

export interface RunAggregationRequest extends TransactionSelector {
  readonly parent: string;
  readonly structuredAggregationQuery?: {
    readonly structuredQuery?: StructuredQuery | null;
    readonly aggregations?: readonly Aggregation[];
  } | null;
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
