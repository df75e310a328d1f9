import type { TableInfo } from "../../model.ts";
import type { LiteralType } from "../parse/ast.ts";
import type { SqlType } from "../sql-type.ts";

/** One read of a base table, recorded during analysis. */
export interface Read {
  readonly info: TableInfo;
  readonly columns: Set<string>;
  /** DuckDB conditions on the partition column, joined by AND. */
  readonly filters: string[];
  /** The texts that a condition compares a column to, by the column. */
  readonly texts: Map<string, readonly string[]>;
}

/** A column visible to an expression, from a table or from a subquery. */
export interface Column {
  readonly name: string;
  readonly sql: string;
  readonly type: SqlType;
  /** The base table's column that this column is. */
  readonly base?: { readonly read: Read; readonly column: string };
  /** The columns that this one is computed from. They are read when this one is. */
  readonly uses: readonly Column[];
  /** The reads whose unchanged partition column this is. A condition on it prunes them. */
  readonly origins: readonly Read[];
}

/** A translated expression: DuckDB SQL and its GoogleSQL type. `sql` can be used anywhere: it has parentheses where it needs them. */
export interface Value {
  readonly sql: string;
  readonly type: SqlType;
  readonly at: number;
  /** Set for literals, which GoogleSQL coerces further than other expressions. */
  readonly literal?: { readonly type: LiteralType; readonly text: string };
  /** Set for parameters, which GoogleSQL also coerces further. */
  readonly parameter?: true;
  /** The parts of an array literal, or of a struct made of literals. They coerce one by one. */
  readonly parts?: readonly Value[];
  readonly column?: Column;
  /** The coordinates of ST_GEOGPOINT, so that distances between points need no text. */
  readonly point?: { readonly longitude: string; readonly latitude: string };
}
