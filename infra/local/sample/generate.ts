import type { DuckDBConnection } from "@duckdb/node-api";
import * as v from "valibot";
import { activityInsert, activityStatements, activityTables } from "./activities.ts";
import { daysQuery, hoursQuery } from "./calendar.ts";
import { checkSize, type SampleSize } from "./cells.ts";
import { dimensionInserts, placeStatements } from "./dimensions.ts";
import { flowsInsert } from "./flows.ts";
import { ledgerStatements, presenceLedger } from "./ledger.ts";
import { TRIPS_TABLE, tripStatements, tripsInsert } from "./odm.ts";
import { nodesQuery, pairsQuery } from "./odm-pairs.ts";
import { presenceInsert, TICK_SECONDS, tickBefore } from "./presence.ts";
import { inOneTransaction } from "./transaction.ts";

export interface SampleOptions extends SampleSize {
  /** The sample ends with the last full hour before this instant. */
  readonly now: Date;
  /** How far back it goes, days; 14 if left out. */
  readonly days?: number;
  /** Seconds between two ticks of presence; 300 if left out. */
  readonly tickSeconds?: number;
  /** Called with a line for each table: its name, its rows, and the milliseconds that it took. */
  readonly onProgress?: (line: string) => void;
}

/** Ticks of presence that are there at the start: two hours of five minutes. */
const TICKS_AT_START = 24;
/** Rows of the finest level that are under way at a time: what bounds the memory at large scales. */
const ROWS_AT_ONCE = 6_000_000;

/**
 * Fills the empty tables of `mobility` for Estonia, Latvia and Norway: every civil day that touches the last `days` days, the whole hours of today,
 * and the presence ticks of the last two hours. The same seed, hour, scale and days give the same rows, in the same order.
 * One transaction: all or nothing. Throws a RangeError for a seed that is not a whole number or a scale outside 0.05 to 100.
 */
export async function generateSample(connection: DuckDBConnection, options: SampleOptions): Promise<void> {
  const { seed, now, onProgress, days = 14, tickSeconds = TICK_SECONDS } = options;
  checkSize(options);
  const run = async (statements: readonly string[]): Promise<number> => {
    let rows = 0;
    for (const statement of statements) rows = (await connection.run(statement)).rowsChanged;
    return rows;
  };
  const fill = async (what: string, statements: readonly string[]): Promise<void> => {
    const start = performance.now();
    const rows = await run(statements);
    onProgress?.(`${what}: ${rows} rows, ${Math.round(performance.now() - start)} ms`);
  };
  await inOneTransaction(connection, async () => {
    await fill("places", [
      ...placeStatements(options),
      `CREATE TEMP TABLE sample_days AS ${daysQuery(now, days)}`,
      `CREATE TEMP TABLE sample_hours AS ${hoursQuery(now)}`,
    ]);
    for (const [table, insert] of dimensionInserts()) await fill(table, [insert]);
    await fillFacts(connection, seed, (table) => `mobility.${table}`, fill);
    const { first, last } = ticksAtStart(now, tickSeconds);
    await fill("presence", [presenceInsert({ cells: "sample_cells", seed, first, last, tickSeconds })]);
    await fill("batches", [...ledgerStatements(options), presenceLedger(seed, first, last)]);
    await run(TEMPORARY.map((table) => `DROP TABLE ${table}`));
  });
}

/** The first and the last tick of presence that are there at a start. */
export function ticksAtStart(now: Date, tickSeconds: number): { readonly first: Date; readonly last: Date } {
  const last = tickBefore(now, tickSeconds);
  return { first: new Date(last.getTime() - TICKS_AT_START * tickSeconds * 1000), last };
}

/** Fills the fact tables, or what `into` gives for each, with the days of `sample_days`; the tables of places and hours must be there. */
export async function fillFacts(
  connection: DuckDBConnection,
  seed: number,
  into: (table: string) => string,
  fill: (what: string, statements: readonly string[]) => Promise<void>,
): Promise<void> {
  await fill("nodes", [...activityTables(), TRIPS_TABLE, `CREATE TEMP TABLE sample_nodes AS ${nodesQuery()}`]);
  await fill("pairs", [`CREATE TEMP TABLE sample_pairs AS ${pairsQuery(seed)}`]);
  for (const [first, last] of await chunks(connection)) {
    await fill("activities under way", activityStatements(seed, first, last));
    await fill("activities_hourly", [activityInsert("activities_hourly", into("activities_hourly"))]);
    await fill("activities_daily", [activityInsert("activities_daily", into("activities_daily"))]);
    await fill("trips under way", tripStatements(first, last));
    await fill("odm_daily", [tripsInsert(seed, into("odm_daily"))]);
    await fill("flows_hourly", [flowsInsert(seed, first, last, into("flows_hourly"))]);
  }
}

/** The temporary tables that a sample is made with. */
export const TEMPORARY = ["cells", "corners", "geographies", "link_paths", "links", "places", "nesting", "days", "hours"]
  .concat(["hourly", "daily", "active", "parents", "trips", "nodes", "pairs"])
  .map((name) => `sample_${name}`);

/** The days (since 1970) in groups whose finest rows are few enough to be under way together. */
async function chunks(connection: DuckDBConnection): Promise<[first: number, last: number][]> {
  const reader = await connection.runAndReadAll(
    `SELECT min(day), max(day), (SELECT count(*) FROM sample_active WHERE finest AND work + home > 0)::INTEGER FROM sample_days`,
  );
  const [[first, last, places]] = v.parse(v.tuple([v.tuple([v.number(), v.number(), v.number()])]), reader.getRowsJS());
  const size = Math.max(1, Math.floor(ROWS_AT_ONCE / (24 * places)));
  return Array.from({ length: Math.ceil((last - first + 1) / size) }, (_, index) => [first + index * size, first + (index + 1) * size - 1]);
}
