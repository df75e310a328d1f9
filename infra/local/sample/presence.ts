import type { DuckDBConnection } from "@duckdb/node-api";
import { COUNTRIES, RHYTHM } from "./calendar.ts";
import { cellsQuery, checkSize, type SampleSize } from "./cells.ts";
import { presenceLedger } from "./ledger.ts";
import { instant } from "./literals.ts";
import { inOneTransaction } from "./transaction.ts";

/** Milliseconds between two ticks. */
export const TICK = 300_000;

/** Of the devices that are in a cell within an hour, the hundredths that are there at a tick. */
const AT_ONCE = 70;

/**
 * Adds one tick of presence for every country and its rows in the ledger, in one transaction. `tick` is taken down to its five minutes; a tick that the ledger
 * has already changes nothing. `seed` and `scale` are those of the sample. Throws a RangeError for a size that no sample can have.
 */
export async function generatePresence(connection: DuckDBConnection, options: SampleSize & { readonly tick: Date }): Promise<void> {
  checkSize(options);
  const tick = new Date(Math.floor(options.tick.getTime() / TICK) * TICK);
  const known = await connection.runAndReadAll(
    `SELECT 1 FROM mobility.batches WHERE table_name = 'presence' AND tick = ${instant(tick)} LIMIT 1`,
  );
  if (known.currentRowCount > 0) return;
  await inOneTransaction(connection, async () => {
    await connection.run(presenceInsert(`(${cellsQuery(options)})`, options.seed, tick, tick));
    await connection.run(presenceLedger(options.seed, tick, tick));
  });
}

/**
 * Fills `mobility.presence` with the ticks from `first` to `last` (instants that are multiples of five minutes) of the cells that `cells` (a table or a
 * query in brackets) gives. Between the full hours the rhythm is interpolated.
 */
export function presenceInsert(cells: string, seed: number, first: Date, last: Date): string {
  const ticks = `SELECT country, people_of_thousand, number, to_timestamp(number * 300) AS tick, timezone(time_zone, to_timestamp(number * 300)) AS local
    FROM ${COUNTRIES}, range(${Math.floor(first.getTime() / TICK)}, ${Math.floor(last.getTime() / TICK) + 1}) AS numbers(number)`;
  const between = (kind: string): string =>
    `((now.${kind} * (60 - extract(minute FROM local)) + next.${kind} * extract(minute FROM local)) // 60 * ${AT_ONCE} // 100)::INTEGER AS at_${kind}`;
  const busy = `SELECT country, people_of_thousand, number, tick, ${between("work")}, ${between("home")} FROM (${ticks})
    JOIN ${RHYTHM.replace("rhythm(", "now(")} ON now.weekend = (isodow(local) > 5) AND now.hour = extract(hour FROM local)
    JOIN ${RHYTHM.replace("rhythm(", "next(")} ON next.weekend = now.weekend AND next.hour = (now.hour + 1) % 24`;
  const drawn = `SELECT country, cell_id, tick, people_of_thousand, hash(key + number) AS bits, (work * at_work + home * at_home)::BIGINT AS expected
    FROM (SELECT country, cell_id, work, home, (hash(cell_id, ${seed}) >> 2)::BIGINT AS key FROM ${cells} WHERE work + home > 0) JOIN (${busy}) USING (country)`;
  const counted = `SELECT *, ((expected * (960 + (bits & 127)::BIGINT) + ((bits >> 8) & 1048575)::BIGINT) >> 20) AS devices FROM (${drawn})`;
  return `INSERT INTO mobility.presence (tick, country_code, cell_id, people, devices)
  SELECT tick, country, cell_id, devices * people_of_thousand // 1000, devices FROM (${counted}) WHERE devices > 0 ORDER BY tick, country, cell_id`;
}
