import type { DuckDBConnection } from "@duckdb/node-api";
import { COUNTRIES, RHYTHM } from "./calendar.ts";
import { checkSize, type SampleSize } from "./cells.ts";
import { makeCells } from "./land.ts";
import { ticksLedgers } from "./ledger.ts";
import { instant } from "./literals.ts";
import { inOneTransaction, runAll } from "./transaction.ts";

/** Seconds between two ticks, unless the local service was started with another value. */
export const TICK_SECONDS = 300;

/** A tick of the feed. */
interface FeedOptions extends SampleSize {
  readonly tick: Date;
  readonly tickSeconds?: number;
}

/** The hundredths of a cell's devices in an hour that are there at a tick. */
const AT_ONCE = 70;

/**
 * Adds the tick that contains an instant for every country, with its rows in the ledger, in one transaction. Does nothing if the ledger
 * already has the tick for any country. `seed` and `scale` are those of the sample. Throws a RangeError for a size that no sample can
 * have.
 */
export async function generatePresence(connection: DuckDBConnection, options: FeedOptions): Promise<void> {
  checkSize(options);
  const { tickSeconds = TICK_SECONDS } = options;
  const tick = tickBefore(options.tick, tickSeconds);
  const known = await connection.runAndReadAll(
    `SELECT 1 FROM intake.batches WHERE table_name = 'presence' AND tick = ${instant(tick)} LIMIT 1`,
  );
  if (known.currentRowCount > 0) return;
  await makeCells(connection, options);
  await loadPresence(connection, { ...options, first: tick, last: tick, tickSeconds });
  await connection.run("DROP TABLE sample_cells");
}

/** Returns the tick that contains an instant. */
export function tickBefore(instant: Date, tickSeconds: number): Date {
  return new Date(Math.floor(instant.getTime() / (tickSeconds * 1000)) * tickSeconds * 1000);
}

interface Ticks extends SampleSize {
  /** The first and the last tick. */
  readonly first: Date;
  readonly last: Date;
  readonly tickSeconds: number;
}

/**
 * Adds the ticks from `first` to `last` of `sample_cells`, except those that the ledger already has for a country, and publishes them. The
 * service's own load takes one country and one tick, so 75 scripts at the start: this does the same in one transaction.
 */
export async function loadPresence(connection: DuckDBConnection, ticks: Ticks): Promise<void> {
  const { first, last } = ticks;
  const known = `SELECT (country_code, tick) FROM intake.batches WHERE table_name = 'presence' AND tick BETWEEN ${instant(first)} AND ${instant(last)}`;
  await runAll(connection, [
    "CREATE OR REPLACE TEMP TABLE staged_presence AS FROM intake.presence LIMIT 0",
    `INSERT INTO staged_presence (tick, country_code, cell_id, people, devices) SELECT * FROM (${presenceQuery(ticks)}) ORDER BY ALL`,
    `DELETE FROM staged_presence WHERE (country_code, tick) IN (${known})`,
  ]);
  const published = publishedCells("(SELECT country_code AS country, * FROM staged_presence)");
  await inOneTransaction(connection, () =>
    runAll(connection, [
      "INSERT INTO intake.presence FROM staged_presence",
      `INSERT INTO realtime.presence (tick, country_code, cell_id, people) SELECT tick, country, cell_id, people FROM (${published})`,
      ...ticksLedgers("staged_presence", `SELECT country AS country_code, tick FROM (${published})`, ticks),
    ]),
  );
  await connection.run("DROP TABLE staged_presence");
}

/**
 * Returns a query for what is published of presence (tick, country, cell_id, people), as the service publishes a tick: the cells of k devices,
 * people to the nearest step and at least one.
 * @param presence a relation with the columns of `presenceQuery`
 */
export function publishedCells(presence: string): string {
  return `SELECT tick, country, cell_id, greatest(step, (2 * people + step) // (2 * step) * step)::BIGINT AS people
    FROM ${presence} JOIN ${COUNTRIES} USING (country) WHERE devices >= k`;
}

/**
 * Returns a query over `sample_cells` for the presence at the ticks from `first` to `last`: tick, country, cell_id, people, devices. The
 * rhythm is interpolated between full hours.
 */
export function presenceQuery({ seed, first, last, tickSeconds }: Ticks): string {
  const number = (tick: Date): number => Math.floor(tick.getTime() / (tickSeconds * 1000));
  const ticks = `SELECT country, people_of_thousand, number, to_timestamp(number * ${tickSeconds}) AS tick, timezone(time_zone, to_timestamp(number * ${tickSeconds})) AS local
    FROM ${COUNTRIES}, range(${number(first)}, ${number(last) + 1}) AS numbers(number)`;
  const between = (kind: string): string =>
    `((now.${kind} * (60 - extract(minute FROM local)) + next.${kind} * extract(minute FROM local)) // 60 * ${AT_ONCE} // 100)::INTEGER AS at_${kind}`;
  const busy = `SELECT country, people_of_thousand, number, tick, ${between("work")}, ${between("home")} FROM (${ticks})
    JOIN ${RHYTHM.replace("rhythm(", "now(")} ON now.weekend = (isodow(local) > 5) AND now.hour = extract(hour FROM local)
    JOIN ${RHYTHM.replace("rhythm(", "next(")} ON next.weekend = now.weekend AND next.hour = (now.hour + 1) % 24`;
  const drawn = `SELECT country, cell_id, tick, people_of_thousand, hash(key + number) AS bits, (work * at_work + home * at_home)::BIGINT AS expected
    FROM (SELECT country, cell_id, work, home, (hash(cell_id, ${seed}) >> 2)::BIGINT AS key FROM sample_cells WHERE work + home > 0) JOIN (${busy}) USING (country)`;
  const counted = `SELECT *, ((expected * (960 + (bits & 127)::BIGINT) + ((bits >> 8) & 1048575)::BIGINT) >> 20) AS devices FROM (${drawn})`;
  return `SELECT tick, country, cell_id, devices * people_of_thousand // 1000 AS people, devices FROM (${counted}) WHERE devices > 0`;
}
