/** Every node carries `at`, its offset in the text, for BigQuery's positions in errors. */
export type LiteralType =
  | "INT64"
  | "FLOAT64"
  | "NUMERIC"
  | "STRING"
  | "BYTES"
  | "BOOL"
  | "NULL"
  | "DATE"
  | "TIMESTAMP"
  | "DATETIME"
  | "TIME";

/** A type as written, for example `ARRAY<STRUCT<a INT64>>`. */
export type TypeName =
  | { readonly kind: "scalar"; readonly name: string; readonly at: number }
  | { readonly kind: "array"; readonly element: TypeName; readonly at: number }
  | {
      readonly kind: "struct";
      readonly fields: readonly { readonly name: string | undefined; readonly type: TypeName }[];
      readonly at: number;
    };

export interface OrderItem {
  readonly by: Expression;
  readonly descending: boolean;
  /** The explicit null order. GoogleSQL's default is first when ascending, last when descending. */
  readonly nulls: "FIRST" | "LAST" | undefined;
}

export interface Window {
  /** The named window that this one is, or that it extends. */
  readonly base: string | undefined;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
  readonly frame: string | undefined;
}

export interface Call {
  readonly kind: "call";
  /** In upper case, with its group: `NET.HOST`. */
  readonly name: string;
  /** Whether it has the prefix SAFE, which turns the function's errors into null. */
  readonly safe: boolean;
  readonly args: readonly Expression[];
  /** `COUNT(*)`. */
  readonly star: boolean;
  readonly distinct: boolean;
  readonly nulls: "IGNORE" | "RESPECT" | undefined;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Expression | undefined;
  /** `HAVING MAX x` or `HAVING MIN x` of ANY_VALUE. */
  readonly having: { readonly extreme: "MAX" | "MIN"; readonly by: Expression } | undefined;
  readonly over: Window | undefined;
  readonly at: number;
}

export type BitwiseOperator = "&" | "|" | "^" | "<<" | ">>";

export type BinaryOperator =
  | BitwiseOperator
  | "+"
  | "-"
  | "*"
  | "/"
  | "||"
  | "="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "AND"
  | "OR"
  | "LIKE"
  | "NOT LIKE";

export interface Path {
  readonly kind: "path";
  readonly names: readonly string[];
  readonly at: number;
}

export interface Named {
  readonly value: Expression;
  readonly name: string | undefined;
}

export type Expression =
  | { readonly kind: "literal"; readonly type: LiteralType; readonly text: string; readonly at: number }
  | { readonly kind: "parameter"; readonly name: string; readonly at: number }
  | Path
  | { readonly kind: "field"; readonly of: Expression; readonly name: string; readonly at: number }
  | { readonly kind: "element"; readonly of: Expression; readonly how: string; readonly index: Expression; readonly at: number }
  | { readonly kind: "unary"; readonly operator: "-" | "+" | "~" | "NOT"; readonly of: Expression; readonly at: number }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly at: number;
    }
  | { readonly kind: "is"; readonly of: Expression; readonly test: "NULL" | "TRUE" | "FALSE"; readonly not: boolean; readonly at: number }
  | { readonly kind: "distinct-from"; readonly left: Expression; readonly right: Expression; readonly not: boolean; readonly at: number }
  | {
      readonly kind: "between";
      readonly of: Expression;
      readonly low: Expression;
      readonly high: Expression;
      readonly not: boolean;
      readonly at: number;
    }
  | { readonly kind: "in-list"; readonly of: Expression; readonly items: readonly Expression[]; readonly not: boolean; readonly at: number }
  | { readonly kind: "in-unnest"; readonly of: Expression; readonly array: Expression; readonly not: boolean; readonly at: number }
  | { readonly kind: "in-query"; readonly of: Expression; readonly query: Query; readonly not: boolean; readonly at: number }
  | {
      readonly kind: "case";
      readonly of: Expression | undefined;
      readonly branches: readonly { readonly when: Expression; readonly result: Expression }[];
      readonly otherwise: Expression | undefined;
      readonly at: number;
    }
  | { readonly kind: "cast"; readonly of: Expression; readonly type: TypeName; readonly safe: boolean; readonly at: number }
  | {
      readonly kind: "extract";
      readonly part: Expression;
      readonly of: Expression;
      readonly zone: Expression | undefined;
      readonly at: number;
    }
  | Call
  | { readonly kind: "interval"; readonly amount: Expression; readonly part: string; readonly at: number }
  | { readonly kind: "array"; readonly element: TypeName | undefined; readonly items: readonly Expression[]; readonly at: number }
  | {
      readonly kind: "struct";
      readonly type: TypeName | undefined;
      readonly items: readonly Named[];
      /** Whether it is written as a tuple, `(1, x)`, whose fields never have names. */
      readonly tuple: boolean;
      readonly at: number;
    }
  | { readonly kind: "subquery"; readonly form: "scalar" | "exists" | "array"; readonly query: Query; readonly at: number };

export type SelectItem =
  | { readonly kind: "value"; readonly value: Expression; readonly alias: string | undefined }
  | {
      readonly kind: "star";
      readonly of: Path | undefined;
      readonly except: readonly string[];
      readonly replace: readonly { readonly value: Expression; readonly name: string }[];
      readonly at: number;
    };

export type FromItem =
  | {
      readonly kind: "table";
      readonly path: readonly string[];
      readonly alias: string | undefined;
      /** The name of WITH OFFSET, which an array has and a table has not. */
      readonly offset: string | undefined;
      readonly at: number;
    }
  | { readonly kind: "query"; readonly query: Query; readonly alias: string | undefined; readonly at: number }
  | {
      readonly kind: "unnest";
      readonly array: Expression;
      readonly alias: string | undefined;
      readonly offset: string | undefined;
      readonly at: number;
    }
  | {
      readonly kind: "join";
      readonly type: "INNER" | "LEFT" | "RIGHT" | "FULL" | "CROSS";
      readonly left: FromItem;
      readonly right: FromItem;
      readonly on: Expression | undefined;
      readonly using: readonly string[];
      readonly at: number;
    };

export interface Select {
  readonly kind: "select";
  readonly distinct: boolean;
  readonly asStruct: boolean;
  readonly items: readonly SelectItem[];
  readonly from: FromItem | undefined;
  readonly where: Expression | undefined;
  readonly groupBy: readonly Expression[] | "ALL";
  /** The sets of keys of ROLLUP, CUBE and GROUPING SETS: places in `groupBy`. */
  readonly groupingSets: readonly (readonly number[])[] | undefined;
  readonly having: Expression | undefined;
  readonly qualify: Expression | undefined;
  /** The named windows of WINDOW. */
  readonly windows: readonly { readonly name: string; readonly window: Window }[];
  readonly at: number;
}

export interface SetOperation {
  readonly kind: "union";
  readonly operator: "UNION" | "INTERSECT" | "EXCEPT";
  readonly all: boolean;
  readonly inputs: readonly (Select | SetOperation | Query)[];
  readonly at: number;
}

export interface Query {
  readonly kind: "query";
  readonly withs: readonly { readonly name: string; readonly query: Query; readonly at: number }[];
  readonly body: Select | SetOperation | Query;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Expression | undefined;
  readonly offset: Expression | undefined;
  readonly at: number;
}
