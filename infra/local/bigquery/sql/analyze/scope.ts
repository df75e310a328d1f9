import type { Window } from "../parse/ast.ts";
import type { Column, Value } from "./value.ts";

/** A table, subquery or UNNEST in FROM, under its alias. */
export interface RangeVariable {
  readonly name: string | undefined;
  readonly columns: readonly Column[];
  /** The value of the bare alias: the element of an UNNEST. */
  readonly element?: Column;
  /** Whether an outer join may have no row of it. */
  readonly isOptional?: boolean;
}

/** The keys of a GROUP BY, by their DuckDB SQL. Outside aggregates, only these may be used. */
export interface Grouping {
  readonly keys: ReadonlySet<string>;
}

/** The names of one SELECT. Subqueries reach their outer scopes through `parent`. */
export class Scope {
  readonly variables: readonly RangeVariable[];
  /** The columns of `*` and of unqualified names. Columns merged by USING appear once. */
  readonly star: readonly Column[];
  readonly parent: Scope | undefined;
  /** The SELECT list's aliases, which take precedence in GROUP BY, HAVING, QUALIFY and ORDER BY. */
  aliases: ReadonlyMap<string, readonly Value[]> = new Map();
  grouping: Grouping | undefined;
  /** The windows of the WINDOW clause, by name in lower case. */
  windows: ReadonlyMap<string, Window> = new Map();
  insideAggregate = 0;

  constructor(variables: readonly RangeVariable[], star: readonly Column[], parent: Scope | undefined) {
    this.variables = variables;
    this.star = star;
    this.parent = parent;
  }

  /** Whether a column is of this SELECT's own tables. */
  has(column: Column): boolean {
    return this.star.includes(column) || this.variables.some(({ columns }) => columns.includes(column));
  }

  columnsNamed(name: string): readonly Column[] {
    const wanted = name.toLowerCase();
    return this.star.filter((column) => column.name.toLowerCase() === wanted);
  }

  variableNamed(name: string): RangeVariable | undefined {
    const wanted = name.toLowerCase();
    return this.variables.find((variable) => variable.name?.toLowerCase() === wanted);
  }
}
