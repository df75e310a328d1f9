import type { Context } from "./context.ts";
import { type Ctes, Env } from "./env.ts";
import { evaluate } from "./expression.ts";
import type { Scope } from "./scope.ts";

/** Returns an environment with names but without aggregates and windows, such as that of WHERE. */
export function plainEnv(context: Context, scope: Scope, ctes: Ctes, clause: string): Env {
  return new Env({ evaluate, context, scope, ctes, clause, aggregates: false, windows: false, aliases: false, filters: false });
}
