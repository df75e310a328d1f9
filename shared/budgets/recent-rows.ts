import * as v from "valibot";
import type { Labels } from "../google/bigquery.ts";
import { rowsOf, type Statement } from "../google/statement.ts";
import { keepRecent } from "../runtime/keep-recent.ts";

/** How long rows are kept, from the moment at which they were asked for. */
const KEPT_MS = 5 * 60_000;
/** How many answers a process keeps. */
const KEPT_MAX = 1000;

type Query = <Row>(statement: Statement<Row>, labels: Labels) => Promise<readonly Row[]>;

/**
 * Returns a query of reference data that answers from memory what the same customer has asked within five minutes: who asks for thirty days of a
 * road link pays once for finding it. Each customer has answers of its own, so that the time of an answer does not tell what others ask.
 */
export function recentRows(query: Query, now: () => Date): Query {
  const kept = new Map<string, { readonly at: number; readonly rows: readonly unknown[] }>();
  return async (statement, labels) => {
    const key = JSON.stringify([labels.customer, statement.sql, statement.parameters]);
    const at = now().getTime();
    const known = kept.get(key);
    if (known && at - known.at < KEPT_MS) return rowsOf(statement, known.rows);
    const rows = await query({ ...statement, row: v.unknown() }, labels);
    keepRecent(kept, key, { at, rows }, KEPT_MAX);
    return rowsOf(statement, rows);
  };
}
