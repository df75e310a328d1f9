import type { Expression, Query, TypeName } from "./ast.ts";

/** A table or view as written, with back quotes and dots resolved to parts. */
export interface TablePath {
  readonly names: readonly string[];
  readonly at: number;
}

export interface OptionItem {
  readonly name: string;
  readonly value: Expression;
  readonly at: number;
}

export interface ColumnDefinition {
  readonly name: string;
  readonly type: ColumnType;
  readonly required: boolean;
  readonly options: readonly OptionItem[];
  readonly at: number;
}

/** A column's type. A struct's fields may have their own NOT NULL and options. */
export type ColumnType =
  | { readonly kind: "plain"; readonly type: TypeName }
  | { readonly kind: "struct"; readonly repeated: boolean; readonly fields: readonly ColumnDefinition[] };

/** One `ADD COLUMN` of ALTER TABLE. */
export interface ColumnAddition {
  readonly definition: ColumnDefinition;
  readonly ifNotExists: boolean;
}

export interface Assignment {
  readonly column: string;
  readonly value: Expression;
  readonly at: number;
}

export interface Insertion {
  /** Undefined: all columns in order. */
  readonly columns: readonly string[] | undefined;
  readonly at: number;
}

export type MergeAction =
  | { readonly kind: "update"; readonly set: readonly Assignment[] }
  | { readonly kind: "delete" }
  | { readonly kind: "insert"; readonly into: Insertion; readonly values: readonly Expression[] | "ROW" };

export interface MergeBranch {
  readonly when: "MATCHED" | "NOT MATCHED BY TARGET" | "NOT MATCHED BY SOURCE";
  readonly and: Expression | undefined;
  readonly action: MergeAction;
  readonly at: number;
}

/** The source of MERGE: a table or a query. */
type MergeSource =
  | { readonly kind: "table"; readonly table: TablePath; readonly alias: string | undefined }
  | { readonly kind: "query"; readonly query: Query; readonly alias: string | undefined };

export type CreateMode = "plain" | "if-not-exists" | "or-replace";

export type StatementNode =
  | { readonly kind: "query"; readonly query: Query; readonly at: number }
  | {
      readonly kind: "insert";
      readonly table: TablePath;
      readonly into: Insertion;
      readonly from:
        | { readonly kind: "query"; readonly query: Query }
        | { readonly kind: "values"; readonly rows: readonly (readonly Expression[])[] };
      readonly at: number;
    }
  | {
      readonly kind: "update";
      readonly table: TablePath;
      readonly alias: string | undefined;
      readonly set: readonly Assignment[];
      readonly where: Expression;
      readonly at: number;
    }
  | {
      readonly kind: "delete";
      readonly table: TablePath;
      readonly alias: string | undefined;
      readonly where: Expression;
      readonly at: number;
    }
  | {
      readonly kind: "merge";
      readonly table: TablePath;
      readonly alias: string | undefined;
      readonly source: MergeSource;
      readonly on: Expression;
      readonly branches: readonly MergeBranch[];
      readonly at: number;
    }
  | {
      readonly kind: "create-table";
      readonly mode: CreateMode;
      readonly table: TablePath;
      readonly columns: readonly ColumnDefinition[] | undefined;
      readonly partitionBy: Expression | undefined;
      readonly clusterBy: readonly string[];
      readonly options: readonly OptionItem[];
      readonly as: Query | undefined;
      readonly at: number;
    }
  | {
      readonly kind: "create-view";
      readonly mode: CreateMode;
      readonly table: TablePath;
      readonly options: readonly OptionItem[];
      readonly query: Query;
      /** The GoogleSQL text of the query. */
      readonly text: string;
      readonly at: number;
    }
  | {
      readonly kind: "create-schema";
      readonly mode: CreateMode;
      readonly path: TablePath;
      readonly options: readonly OptionItem[];
      readonly at: number;
    }
  | { readonly kind: "add-columns"; readonly table: TablePath; readonly columns: readonly ColumnAddition[]; readonly at: number }
  | { readonly kind: "drop"; readonly what: "TABLE" | "VIEW"; readonly table: TablePath; readonly ifExists: boolean; readonly at: number }
  | { readonly kind: "export"; readonly options: readonly OptionItem[]; readonly query: Query; readonly at: number }
  | { readonly kind: "transaction"; readonly verb: "BEGIN" | "COMMIT" | "ROLLBACK"; readonly at: number };
