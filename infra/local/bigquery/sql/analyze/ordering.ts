import type { OrderItem, Window } from "../parse/ast.ts";
import { type SqlType, typeText } from "../sql-type.ts";
import type { Context } from "./context.ts";
import type { Env } from "./env.ts";
import { isOrderable } from "./operators.ts";

/**
 * Translates one item of ORDER BY, with its direction and null order always explicit: GoogleSQL's default is nulls first when ascending,
 * last when descending. NaN is GoogleSQL's smallest number and DuckDB's largest, hence a separate key.
 */
export function orderKey(context: Context, sql: string, type: SqlType, item: OrderItem): string {
  if (!isOrderable(type)) throw context.fail(item.by.at, `ORDER BY does not support expressions of type ${typeText(type)}`);
  const direction = item.descending ? "DESC" : "ASC";
  const nulls = item.nulls ?? (item.descending ? "LAST" : "FIRST");
  const nan = type === "FLOAT64" ? `isnan(${sql}) ${item.descending ? "ASC" : "DESC"} NULLS ${nulls}, ` : "";
  return `${nan}${sql} ${direction} NULLS ${nulls}`;
}

export function orderKeys(items: readonly OrderItem[], env: Env): string {
  return items
    .map((item) => {
      const value = env.value(item.by);
      return orderKey(env.context, value.sql, value.type, item);
    })
    .join(", ");
}

/** Returns a window with the parts of the named window that it extends. Throws if there is none of that name. */
export function wholeWindow(window: Window, env: Env): Window {
  if (window.base === undefined) return window;
  const named = env.scope.windows.get(window.base.toLowerCase());
  if (!named) throw env.context.fail(0, `Unrecognized window alias ${window.base}`);
  const base = wholeWindow(named, env);
  if (window.partitionBy.length > 0 || (window.orderBy.length > 0 && base.orderBy.length > 0) || base.frame !== undefined) {
    const alone = window.partitionBy.length === 0 && window.orderBy.length === 0 && window.frame === undefined;
    if (!alone) throw env.context.fail(0, `The window ${window.base} cannot be extended with what it has itself`);
  }
  return {
    base: undefined,
    partitionBy: base.partitionBy,
    orderBy: window.orderBy.length > 0 ? window.orderBy : base.orderBy,
    frame: window.frame ?? base.frame,
  };
}

/** A number that is not whole, in the text of a frame. */
const FRACTIONAL = /\d*(?:\.\d|\d\.|\d[eE])/;

/**
 * Translates the ORDER BY of a window. A frame of a range of values allows one key, so that NaN has none of its own: in the order of the
 * negated numbers, turned around, DuckDB has it where GoogleSQL has. Throws for such a frame whose order is not by one number.
 */
function windowOrder({ frame, orderBy }: Window, env: Env): string {
  const plain = orderBy.length > 0 ? `ORDER BY ${orderKeys(orderBy, env)}` : "";
  if (frame === undefined || !/^RANGE .*\d/.test(frame)) return plain;
  const [only, ...others] = orderBy;
  const key = only && others.length === 0 ? env.value(only.by) : undefined;
  const at = only?.by.at ?? 0;
  if (!only || (key?.type !== "INT64" && key?.type !== "NUMERIC" && key?.type !== "FLOAT64"))
    throw env.context.fail(at, "A RANGE frame with a number needs a window with exactly one ORDER BY key, of a numeric type");
  if (key.type === "INT64" && FRACTIONAL.test(frame))
    throw env.context.fail(at, "Window framing expression has type FLOAT64 that cannot coerce to the type of the ORDER BY key, INT64");
  if (key.type !== "FLOAT64") return plain;
  return `ORDER BY -(${key.sql}) ${only.descending ? "ASC" : "DESC"} NULLS ${only.nulls ?? (only.descending ? "LAST" : "FIRST")}`;
}

/** Translates `OVER (…)`. */
export function overSql(written: Window, env: Env): string {
  const window = wholeWindow(written, env);
  const inside = env.with({ windows: false, clause: "OVER clause" });
  const partition = window.partitionBy.map((by) => {
    const value = inside.value(by);
    if (!isOrderable(value.type) || value.type === "FLOAT64")
      throw env.context.fail(by.at, `Partitioning by expressions of type ${typeText(value.type)} is not allowed`);
    return value.sql;
  });
  const parts = [partition.length > 0 ? `PARTITION BY ${partition.join(", ")}` : "", windowOrder(window, inside), window.frame ?? ""];
  return ` OVER (${parts.filter((part) => part !== "").join(" ")})`;
}
