import type { Expression, Query } from "../parse/ast.ts";
import type { Context } from "./context.ts";
import type { Scope } from "./scope.ts";
import type { Column, Value } from "./value.ts";

/** A subquery of WITH: its text is written once, at its first use. */
export interface Cte {
  readonly query: Query;
  readonly alias: string;
  readonly env: Ctes;
  sql: string | undefined;
}

/** The subqueries of WITH that can be named here, innermost last. */
export type Ctes = ReadonlyMap<string, Cte>;

/** Translates an expression. Who makes an `Env` brings it, so that what only reads an `Env` depends on no translation. */
type Evaluate = (node: Expression, env: Env) => Value;

interface Settings {
  readonly evaluate: Evaluate;
  readonly context: Context;
  readonly scope: Scope;
  readonly ctes: Ctes;
  /** The clause that an expression stands in, for errors. */
  readonly clause: string;
  readonly aggregates: boolean;
  readonly windows: boolean;
  /** Whether the names of the SELECT list can be used. */
  readonly aliases: boolean;
  /** Another text for columns, when a condition is written down for a partitioned table alone. */
  readonly rename?: ((column: Column) => string) | undefined;
}

/** Where an expression stands: what names mean and what is allowed there. */
export class Env implements Settings {
  readonly evaluate: Evaluate;
  readonly context: Context;
  readonly scope: Scope;
  readonly ctes: Ctes;
  readonly clause: string;
  readonly aggregates: boolean;
  readonly windows: boolean;
  readonly aliases: boolean;
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
    this.rename = settings.rename;
  }

  with(changes: Partial<Settings>): Env {
    const { evaluate, context, scope, ctes, clause, aggregates, windows, aliases, rename } = this;
    return new Env({ evaluate, context, scope, ctes, clause, aggregates, windows, aliases, rename, ...changes });
  }

  value(node: Expression): Value {
    return this.evaluate(node, this);
  }
}
