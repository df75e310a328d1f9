/**
 * The messages of google.firestore.v1 as decoded by the loader in `protos.ts`: absent messages are null, a oneof names its set member,
 * int64 values are decimal strings. Only what the embedded engine reads or writes.
 */
export interface WireTimestamp {
  seconds: string;
  nanos: number;
}

export type Fields = Record<string, Value>;

export type Value =
  | { readonly valueType: "nullValue"; readonly nullValue: "NULL_VALUE" }
  | { readonly valueType: "booleanValue"; readonly booleanValue: boolean }
  | { readonly valueType: "integerValue"; readonly integerValue: string }
  | { readonly valueType: "doubleValue"; readonly doubleValue: number }
  | { readonly valueType: "timestampValue"; readonly timestampValue: WireTimestamp }
  | { readonly valueType: "stringValue"; readonly stringValue: string }
  | { readonly valueType: "bytesValue"; readonly bytesValue: Uint8Array }
  | { readonly valueType: "referenceValue"; readonly referenceValue: string }
  | { readonly valueType: "geoPointValue"; readonly geoPointValue: { readonly latitude: number; readonly longitude: number } }
  | { readonly valueType: "arrayValue"; readonly arrayValue: { readonly values: readonly Value[] } }
  | { readonly valueType: "mapValue"; readonly mapValue: { readonly fields: Fields } };

export interface WireDocument {
  readonly name: string;
  readonly fields: Fields;
  readonly createTime: WireTimestamp | null;
  readonly updateTime: WireTimestamp | null;
}

export interface Mask {
  readonly fieldPaths: readonly string[];
}

export interface FieldReference {
  readonly fieldPath: string;
}

export interface FieldTransform {
  readonly fieldPath: string;
  readonly transformType?: "setToServerValue" | "increment" | "maximum" | "minimum" | "appendMissingElements" | "removeAllFromArray";
  readonly setToServerValue?: string;
  readonly increment?: Value;
  readonly maximum?: Value;
  readonly minimum?: Value;
  readonly appendMissingElements?: { readonly values: readonly Value[] };
  readonly removeAllFromArray?: { readonly values: readonly Value[] };
}

export interface Precondition {
  readonly exists?: boolean;
  readonly updateTime?: WireTimestamp;
}

export interface Write {
  readonly update?: WireDocument;
  readonly delete?: string;
  readonly transform?: { readonly document: string; readonly fieldTransforms: readonly FieldTransform[] };
  readonly updateMask: Mask | null;
  readonly updateTransforms: readonly FieldTransform[];
  readonly currentDocument: Precondition | null;
}

export interface WriteResult {
  readonly updateTime: WireTimestamp | null;
  readonly transformResults: readonly Value[];
}

export interface TransactionOptions {
  readonly readOnly?: { readonly readTime?: WireTimestamp };
  readonly readWrite?: object;
}

/** The state that a read sees: a transaction's, a new transaction's, a past one or, if nothing is set, the current one. */
export interface Consistency {
  readonly transaction?: Buffer;
  readonly newTransaction?: TransactionOptions;
  readonly readTime?: WireTimestamp;
}

export interface Order {
  readonly field: FieldReference | null;
  readonly direction: "DIRECTION_UNSPECIFIED" | "ASCENDING" | "DESCENDING";
}

export type FieldOperator =
  | "OPERATOR_UNSPECIFIED"
  | "LESS_THAN"
  | "LESS_THAN_OR_EQUAL"
  | "GREATER_THAN"
  | "GREATER_THAN_OR_EQUAL"
  | "EQUAL"
  | "NOT_EQUAL"
  | "ARRAY_CONTAINS"
  | "IN"
  | "ARRAY_CONTAINS_ANY"
  | "NOT_IN";

export interface Filter {
  readonly compositeFilter?: { readonly op: "OPERATOR_UNSPECIFIED" | "AND" | "OR"; readonly filters: readonly Filter[] };
  readonly fieldFilter?: { readonly field: FieldReference | null; readonly op: FieldOperator; readonly value: Value | null };
  readonly unaryFilter?: {
    readonly field?: FieldReference;
    readonly op: "OPERATOR_UNSPECIFIED" | "IS_NAN" | "IS_NULL" | "IS_NOT_NAN" | "IS_NOT_NULL";
  };
}

export interface Cursor {
  readonly values: readonly Value[];
  readonly before: boolean;
}

export interface StructuredQuery {
  readonly select: { readonly fields: readonly FieldReference[] } | null;
  readonly from: readonly { readonly collectionId: string; readonly allDescendants: boolean }[];
  readonly where: Filter | null;
  readonly orderBy: readonly Order[];
  readonly startAt: Cursor | null;
  readonly endAt: Cursor | null;
  readonly offset: number;
  readonly limit: { readonly value: number } | null;
  readonly findNearest: object | null;
}

export interface Aggregation {
  readonly alias: string;
  readonly count?: { readonly upTo: { readonly value: string } | null };
  readonly sum?: { readonly field: FieldReference | null };
  readonly avg?: { readonly field: FieldReference | null };
}
