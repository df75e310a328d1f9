import type { DuckDBConnection } from "@duckdb/node-api";
import * as v from "valibot";
import type { SampleProgress } from "../messages.ts";
import { activityStatements, activityTables, daysInsert, hoursInsert } from "./activities.ts";
import { daysQuery, hoursQuery } from "./calendar.ts";
import { checkSize, type SampleSize } from "./cells.ts";
import { dimensionQueries, makePlaces } from "./dimensions.ts";
import { flowsInsert } from "./flows.ts";
import { datedDimensions, datedFacts, FACTS, type Fact, sampleChecksum } from "./ledger.ts";
import { type LoadSample, openLoads } from "./load.ts";
import { TRIPS_TABLE, tripStatements, tripsInsert } from "./odm.ts";
import { nodesQuery, pairsQuery } from "./odm-pairs.ts";
import { loadPresence, TICK_SECONDS, tickBefore } from "./presence.ts";
import { SampleSteps } from "./steps.ts";
import { runAll } from "./transaction.ts";

export interface SampleOptions extends SampleSize {
  /** The sample ends with the last full hour before this instant. */
  readonly now: Date;
  /** How many days the sample goes back. The default is 14. */
  readonly days?: number;
  /** Seconds between two ticks of presence. The default is 300. */
  readonly tickSeconds?: number;
  /** Called when a step begins. */
  readonly onProgress?: (progress: SampleProgress) => void;
  /** Called with tables, as `dataset.table`, that have all their rows. */
  readonly onFilled?: (tables: readonly string[]) => void;
  /** Ends it before its next step. */
  readonly signal?: AbortSignal;
}

const PRESENCE = ["intake.presence", "realtime.presence"];

/** The tables that a sample fills, as `dataset.table`. */
export const SAMPLE_TABLES: readonly string[] = [
  ...[...dimensionQueries().keys(), ...FACTS].flatMap(inBoth),
  ...["intake.nesting", ...PRESENCE],
];

/** The ticks of presence before the latest one at the start: two hours of five-minute ticks. */
const TICKS_AT_START = 24;
/** How many steps load a group of days, besides the pairs, which are for all of them. */
const STEPS_OF_DAYS = 6;
/** The most rows of the finest level to generate at a time. This limits the memory at large scales. */
const ROWS_AT_ONCE = 3_000_000;

/**
 * Fills the empty tables of `intake` and `mobility` for Estonia, Latvia and Norway: every civil day that overlaps the last `days` days, the whole hours
 * of today, and the presence ticks of the last two hours. The same seed, hour, scale and days give the same rows. Places come first, then ticks, then days.
 * Each load is a transaction, so that DuckDB knows the row counts of the earlier loads. In a single transaction, joins take twice as long.
 * The geographies are loaded last of the dimensions. Without them `topUpSample` starts again. With them it adds what a killed run left out.
 * Throws a RangeError for a seed that is not a whole number from 0 or a scale outside 0.05 to 100.
 */
export async function generateSample(connection: DuckDBConnection, options: SampleOptions): Promise<void> {
  const { now, onFilled, days = 14 } = options;
  checkSize(options);
  const steps = new SampleSteps(options);
  const load = await openLoads(connection);
  const checksum = sampleChecksum(options, now);
  const dated = datedDimensions(checksum);
  await steps.run("places", () => makePlaces(connection, options));
  await runAll(connection, [
    `CREATE TEMP TABLE sample_days AS ${daysQuery(now, days)}`,
    `CREATE TEMP TABLE sample_hours AS ${hoursQuery(now)}`,
  ]);
  for (const [table, query] of dimensionQueries())
    await steps.run(table, () => load(table, { checksum, dated, stage: (staging) => [`INSERT INTO ${staging} ${query}`] }));
  onFilled?.([...dimensionQueries().keys()].flatMap(inBoth));
  onFilled?.(["intake.nesting"]);
  await steps.run("presence", () => loadPresence(connection, ticksAtStart(options)));
  onFilled?.(PRESENCE);
  await fillFacts(connection, options, { load, steps });
  await runAll(
    connection,
    TEMPORARY.map((table) => `DROP TABLE ${table}`),
  );
}

interface Filling {
  readonly load: LoadSample;
  readonly steps: SampleSteps;
  /** Returns a condition on `country_code` and `batch_date` for the days wanted in a table. The default is all of `sample_days`. */
  readonly wanted?: (table: Fact) => string;
}

/** Loads the days of `sample_days` into the fact tables, one after another. The tables of places and hours must exist. */
export async function fillFacts(connection: DuckDBConnection, options: SampleOptions, { load, steps, wanted }: Filling): Promise<void> {
  const { seed, now, onFilled } = options;
  const checksum = sampleChecksum(options, now);
  const run = (what: string, statements: readonly string[]) => steps.run(what, () => runAll(connection, statements));
  const dated = datedFacts(checksum);
  const fill = (table: Fact, insert: (staging: string) => string) => {
    const rest = (staging: string) => (wanted ? [`DELETE FROM ${staging} WHERE NOT (${wanted(table)})`] : []);
    return steps.run(table, () => load(table, { checksum, dated, stage: (staging) => [insert(staging), ...rest(staging)] }));
  };
  await run("nodes", [...activityTables(), TRIPS_TABLE, `CREATE TEMP TABLE sample_nodes AS ${nodesQuery()}`]);
  const days = await chunks(connection);
  steps.expect(1 + STEPS_OF_DAYS * days.length);
  for (const [first, last] of days) await fill("flows_hourly", (staging) => flowsInsert(seed, first, last, staging));
  onFilled?.(inBoth("flows_hourly"));
  await run("pairs", [`CREATE TEMP TABLE sample_pairs AS ${pairsQuery(seed)}`]);
  for (const [first, last] of days) {
    await run("trips under way", tripStatements(first, last));
    await fill("odm_daily", (staging) => tripsInsert(seed, staging));
  }
  onFilled?.(inBoth("odm_daily"));
  for (const [first, last] of days) {
    await run("activities under way", activityStatements(seed, first, last));
    // Days wait for their hours, whose load then decides both at once.
    await fill("activities_daily", daysInsert);
    await fill("activities_hourly", hoursInsert);
  }
  onFilled?.(["activities_daily", "activities_hourly"].flatMap(inBoth));
}

/** Returns a table's names in the datasets of raw and of published rows. */
function inBoth(table: string): string[] {
  return [`intake.${table}`, `mobility.${table}`];
}

/** Returns the ticks of presence that a sample has at the start. */
export function ticksAtStart({ seed, scale, now, tickSeconds = TICK_SECONDS }: SampleOptions) {
  const last = tickBefore(now, tickSeconds);
  return { seed, scale, first: new Date(last.getTime() - TICKS_AT_START * tickSeconds * 1000), last, tickSeconds };
}

/** The temporary tables used to make a sample. */
export const TEMPORARY = [
  "cells",
  "areas",
  "land",
  "corners",
  "geographies",
  "link_paths",
  "links",
  "road_cells",
  "places",
  "nesting",
  "days",
  "hours",
]
  .concat(["hourly", "daily", "active", "parents", "trips", "nodes", "pairs"])
  .map((name) => `sample_${name}`);

/** Returns the days (since 1970) in groups of about the same size, whose finest rows are few enough to generate together. */
async function chunks(connection: DuckDBConnection): Promise<[first: number, last: number][]> {
  const reader = await connection.runAndReadAll(
    `SELECT min(day), max(day), (SELECT count(*) FROM sample_active WHERE finest AND work + home > 0)::INTEGER FROM sample_days`,
  );
  const [[first, last, places]] = v.parse(v.tuple([v.tuple([v.number(), v.number(), v.number()])]), reader.getRowsJS());
  const days = last - first + 1;
  const most = Math.max(1, Math.floor(ROWS_AT_ONCE / (24 * places)));
  const size = Math.ceil(days / Math.ceil(days / most));
  return Array.from({ length: Math.ceil(days / size) }, (_, index) => [first + index * size, first + (index + 1) * size - 1]);
}
