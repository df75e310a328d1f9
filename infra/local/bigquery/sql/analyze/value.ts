import type { TableInfo } from "../../model.ts";
import type { LiteralType } from "../parse/ast.ts";
import type { SqlType } from "../sql-type.ts";

/** One read of a base table while a statement is analysed. */
export interface Read {
  readonly info: TableInfo;
  readonly columns: Set<string>;
  /** DuckDB conditions on the partition column, all of which hold. */
  readonly filters: string[];
}

/** A column in reach of an expression, from a table or from a subquery. */
export interface Column {
  readonly name: string;
  readonly sql: string;
  readonly type: SqlType;
  /** The base table's column that this is. */
  readonly base?: { readonly read: Read; readonly column: string };
  /** The columns that this one is computed from; they are read when this one is. */
  readonly uses: readonly Column[];
  /** The reads whose partition column this is, unchanged: a condition on it prunes them. */
  readonly origins: readonly Read[];
}

/** An expression in DuckDB's words with its GoogleSQL type. `sql` can stand anywhere: it is closed by parentheses where it needs them. */
export interface Value {
  readonly sql: string;
  readonly type: SqlType;
  readonly at: number;
  /** GoogleSQL coerces literals further than other expressions. */
  readonly literal?: { readonly type: LiteralType; readonly text: string };
  /** So it does parameters. */
  readonly parameter?: true;
  /** An array literal, or a struct made of literals: its parts coerce one by one. */
  readonly parts?: readonly Value[];
  readonly column?: Column;
  /** The coordinates of ST_GEOGPOINT: distances between points need no text. */
  readonly point?: { readonly longitude: string; readonly latitude: string };
}
