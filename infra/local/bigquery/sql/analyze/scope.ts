import type { Column, Value } from "./value.ts";

/** A table, subquery or UNNEST in FROM, under its name. */
export interface RangeVariable {
  readonly name: string | undefined;
  readonly columns: readonly Column[];
  /** What the name alone stands for: the element of an UNNEST. */
  readonly element?: Column;
}

/** The keys of a GROUP BY, by their DuckDB text: outside aggregates, only they may be used. */
export interface Grouping {
  readonly keys: ReadonlySet<string>;
}

/** What the names of one SELECT mean. Subqueries see their outer scopes through `parent`. */
export class Scope {
  readonly variables: readonly RangeVariable[];
  /** What `*` means and unqualified names find: columns merged by USING stand here once. */
  readonly star: readonly Column[];
  readonly parent: Scope | undefined;
  /** The SELECT list's names, which come first in GROUP BY, HAVING, QUALIFY and ORDER BY. */
  aliases: ReadonlyMap<string, readonly Value[]> = new Map();
  grouping: Grouping | undefined;
  insideAggregate = 0;

  constructor(variables: readonly RangeVariable[], star: readonly Column[], parent: Scope | undefined) {
    this.variables = variables;
    this.star = star;
    this.parent = parent;
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
