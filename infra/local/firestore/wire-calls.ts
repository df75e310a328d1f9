import type {
  Aggregation,
  Consistency,
  Mask,
  StructuredQuery,
  TransactionOptions,
  Value,
  WireDocument,
  WireTimestamp,
  Write,
  WriteResult,
} from "./wire.ts";

/** The requests and responses of the supported methods, with the conventions of `wire.ts`. */
export interface GetRequest {
  readonly name: string;
  readonly mask: Mask | null;
  readonly transaction?: Buffer;
  readonly readTime?: WireTimestamp;
}

export interface BatchGetRequest extends Consistency {
  readonly database: string;
  readonly documents: readonly string[];
  readonly mask: Mask | null;
}

export interface BatchGetResponse {
  readonly found?: WireDocument;
  readonly missing?: string;
  readonly transaction?: Buffer;
  readonly readTime?: WireTimestamp;
}

export interface BeginRequest {
  readonly database: string;
  readonly options: TransactionOptions | null;
}

export interface BeginResponse {
  readonly transaction: Buffer;
}

export interface CommitRequest {
  readonly database: string;
  readonly writes: readonly Write[];
  readonly transaction: Buffer;
}

export interface CommitResponse {
  readonly writeResults: readonly WriteResult[];
  readonly commitTime: WireTimestamp;
}

export interface RollbackRequest {
  readonly database: string;
  readonly transaction: Buffer;
}

export interface BatchWriteRequest {
  readonly database: string;
  readonly writes: readonly Write[];
}

export interface BatchWriteResponse {
  readonly writeResults: readonly WriteResult[];
  readonly status: readonly { readonly code: number; readonly message: string }[];
}

export interface RunQueryRequest extends Consistency {
  readonly parent: string;
  readonly structuredQuery?: StructuredQuery;
  readonly explainOptions: object | null;
}

export interface RunQueryResponse {
  readonly transaction?: Buffer;
  readonly document?: WireDocument;
  readonly readTime?: WireTimestamp;
  readonly skippedResults?: number;
}

export interface RunAggregationRequest extends Consistency {
  readonly parent: string;
  readonly structuredAggregationQuery?: {
    readonly structuredQuery?: StructuredQuery;
    readonly aggregations: readonly Aggregation[];
  };
  readonly explainOptions: object | null;
}

export interface RunAggregationResponse {
  readonly transaction?: Buffer;
  readonly result?: { readonly aggregateFields: Readonly<Record<string, Value>> };
  readonly readTime?: WireTimestamp;
}

export interface ListDocumentsRequest extends Consistency {
  readonly parent: string;
  readonly collectionId: string;
  readonly pageSize: number;
  readonly pageToken: string;
  readonly orderBy: string;
  readonly mask: Mask | null;
  readonly showMissing: boolean;
}

export interface ListDocumentsResponse {
  readonly documents: readonly WireDocument[];
  readonly nextPageToken: string;
}

export interface ListCollectionsRequest {
  readonly parent: string;
  readonly pageSize: number;
  readonly pageToken: string;
  readonly readTime?: WireTimestamp;
}

export interface ListCollectionsResponse {
  readonly collectionIds: readonly string[];
  readonly nextPageToken: string;
}

export interface Target {
  readonly targetId: number;
  readonly query?: { readonly parent: string; readonly structuredQuery?: StructuredQuery };
  readonly documents?: { readonly documents: readonly string[] };
  readonly resumeToken?: Buffer;
  readonly readTime?: WireTimestamp;
}

export interface ListenRequest {
  readonly database: string;
  readonly addTarget?: Target;
  readonly removeTarget?: number;
}

export interface ListenResponse {
  readonly targetChange?: {
    readonly targetChangeType: "NO_CHANGE" | "ADD" | "REMOVE" | "CURRENT" | "RESET";
    readonly targetIds: readonly number[];
    readonly cause?: { readonly code: number; readonly message: string };
    readonly resumeToken?: Buffer;
    readonly readTime?: WireTimestamp;
  };
  readonly documentChange?: { readonly document: WireDocument; readonly targetIds: readonly number[] };
  readonly documentDelete?: { readonly document: string; readonly removedTargetIds: readonly number[]; readonly readTime: WireTimestamp };
  readonly documentRemove?: { readonly document: string; readonly removedTargetIds: readonly number[]; readonly readTime: WireTimestamp };
}
