import type { Expression, Query } from "../parse/ast.ts";
import type { Context } from "./context.ts";
import type { Scope } from "./scope.ts";
import type { Column, Value } from "./value.ts";

/** A subquery of WITH. Its SQL is written once, at its first use. */
export interface Cte {
  readonly query: Query;
  readonly alias: string;
  readonly env: Ctes;
  sql: string | undefined;
}

/** The WITH subqueries in scope, innermost last. */
export type Ctes = ReadonlyMap<string, Cte>;

/** Translates an expression. It is passed in by the creator of an `Env`, so that modules that only read an `Env` import no translation. */
type Evaluate = (node: Expression, env: Env) => Value;

interface Settings {
  readonly evaluate: Evaluate;
  readonly context: Context;
  readonly scope: Scope;
  readonly ctes: Ctes;
  /** The clause that contains the expression, for errors. */
  readonly clause: string;
  readonly aggregates: boolean;
  readonly windows: boolean;
  /** Whether the aliases of the SELECT list can be used. */
  readonly aliases: boolean;
  /** Whether null counts as false: in conditions of WHERE, but not inside their operands. */
  readonly filters: boolean;
  /** Other SQL for columns, used to write a condition for a partitioned table alone. */
  readonly rename?: ((column: Column) => string) | undefined;
}

/** The environment of an expression: what names mean and what is allowed. */
export class Env implements Settings {
  readonly evaluate: Evaluate;
  readonly context: Context;
  readonly scope: Scope;
  readonly ctes: Ctes;
  readonly clause: string;
  readonly aggregates: boolean;
  readonly windows: boolean;
  readonly aliases: boolean;
  readonly filters: boolean;
  readonly rename: ((column: Column) => string) | undefined;

  constructor(settings: Settings) {
    this.evaluate = settings.evaluate;
    this.context = settings.context;
    this.scope = settings.scope;
    this.ctes = settings.ctes;
    this.clause = settings.clause;
    this.aggregates = settings.aggregates;
    this.windows = settings.windows;
    this.aliases = settings.aliases;
    this.filters = settings.filters;
    this.rename = settings.rename;
  }

  with(changes: Partial<Settings>): Env {
    const { evaluate, context, scope, ctes, clause, aggregates, windows, aliases, filters, rename } = this;
    return new Env({ evaluate, context, scope, ctes, clause, aggregates, windows, aliases, filters, rename, ...changes });
  }

  value(node: Expression): Value {
    return this.evaluate(node, this);
  }
}
