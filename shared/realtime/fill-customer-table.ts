import * as v from "valibot";
import { openWarehouse, type Warehouse } from "../google/bigquery.ts";
import { type Parameters, type Statement, statement } from "../google/statement.ts";
import type { Config } from "../runtime/config.ts";
import { type CustomerTable, type CustomerTables, openCustomerTables } from "./customer-tables.ts";
import { HeadcountRow } from "./headcount-rows.ts";
import { loadOnce } from "./load-customer-tables.ts";
import { tickName } from "./tick-state.ts";

/** What one load job of a fill holds: the rows of so many milliseconds. */
const WINDOW_MS = 7 * 86_400_000;

const Instant = v.nullable(
  v.pipe(
    v.object({ value: v.string() }),
    v.transform(({ value }) => new Date(value)),
  ),
);
const Span = v.object({ oldest: Instant, newest: Instant });

/** The dependencies of filling tables. */
export interface FillContext {
  readonly tables: Pick<CustomerTables, "of" | "load" | "setFill">;
  readonly home: Pick<Warehouse, "query" | "queryOne">;
  readonly now: () => Date;
}

/**
 * Fills a customer's tables with its headcounts of the ticks before now, each row once. What is filled already stays. If it fails, call it
 * again: it continues where it stopped. Ticks that are under way meanwhile are left to their refresh (`loadDecision`). Returns the tables.
 */
export async function fillCustomerTables(uid: string, context: FillContext): Promise<readonly CustomerTable[]> {
  const tables = await context.tables.of(uid);
  await Promise.all(tables.map((table) => (table.fill?.isDone ? undefined : fill(table, context))));
  return tables;
}

/** Opens what a fill needs, and fills a customer's tables. Returns how many it has. */
export async function fillTablesOf(config: Config, uid: string): Promise<number> {
  const context = { tables: openCustomerTables(config), home: openWarehouse(config), now: () => new Date() };
  return (await fillCustomerTables(uid, context)).length;
}

async function fill(table: CustomerTable, context: FillContext): Promise<void> {
  const { tables, home, now } = context;
  const { dataset, uid } = table;
  const labels = { customer: uid, purpose: "fill" };
  const before = table.fill?.before ?? now();
  // First the label, then the rows: a refresh that does not see the label yet has committed rows that are read here.
  await tables.setFill(table, { before, isDone: false });
  const { oldest, newest } = await home.queryOne(headcountsSpanStatement(uid, before), labels);
  if (oldest && newest)
    for (let window = Math.floor(oldest.getTime() / WINDOW_MS); window * WINDOW_MS <= newest.getTime(); window++) {
      const from = new Date(window * WINDOW_MS);
      const rows = await home.query(headcountsOfWindowStatement({ uid, before, from, to: new Date(from.getTime() + WINDOW_MS) }), labels);
      const name = `fill_${tickName(before)}_${dataset}_${uid}_${window}`;
      const failure = rows.length === 0 ? undefined : await loadOnce(name, table, rows, context);
      if (failure) throw new Error(`The job ${name} failed: ${failure.message}`);
    }
  await tables.setFill(table, { before, isDone: true });
}

/** Returns a query of the oldest and the newest measurement of a customer among the ticks before an instant: one row, of nulls if none. */
export function headcountsSpanStatement(uid: string, before: Date): Statement<v.InferOutput<typeof Span>> {
  return statement(
    Span,
    `SELECT MIN(timestamp) AS oldest, MAX(timestamp) AS newest
FROM \`realtime.headcounts\`
WHERE uid = @uid AND tick < @before`,
    { uid: { type: "STRING", value: uid }, before: at(before) },
  );
}

/** What a window of a fill holds: the measurements from an instant, before another, that ticks before a third have read. */
export interface FillWindow {
  readonly uid: string;
  readonly from: Date;
  readonly to: Date;
  readonly before: Date;
}

/** Returns a query of a customer's headcounts of a window. */
export function headcountsOfWindowStatement({ uid, from, to, before }: FillWindow): Statement<HeadcountRow> {
  return statement(
    HeadcountRow,
    `SELECT tick, timestamp, uid, target_id, target_name, people_count, result
FROM \`realtime.headcounts\`
WHERE uid = @uid AND tick < @before AND timestamp >= @from AND timestamp < @to`,
    { uid: { type: "STRING", value: uid }, before: at(before), from: at(from), to: at(to) },
  );
}

function at(instant: Date): Parameters[string] {
  return { type: "TIMESTAMP", value: instant.toISOString() };
}
