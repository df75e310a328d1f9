import type { DuckDBConnection } from "@duckdb/node-api";
import * as v from "valibot";
import { COUNTRIES, daysQuery, hoursQuery } from "./calendar.ts";
import { checkSize } from "./cells.ts";
import { makePlaces } from "./dimensions.ts";
import { fillFacts, generateSample, type SampleOptions, TEMPORARY, ticksAtStart } from "./generate.ts";
import { makeCells } from "./land.ts";
import { FACTS, type Fact, newestBatches, sampleChecksumAt } from "./ledger.ts";
import { instant } from "./literals.ts";
import { openLoads } from "./load.ts";
import { loadPresence } from "./presence.ts";
import { SampleSteps } from "./steps.ts";
import { runAll } from "./transaction.ts";

/** Milliseconds since 1970 of the first tick that a country lacks. */
const Lacking = v.tuple([v.tuple([v.nullable(v.number())])]);

/** Tables with rows for the hours of a day that is not over. */
const HOURLY: readonly Fact[] = ["activities_hourly", "flows_hourly"];

/**
 * Makes the sample if there is none. Otherwise adds what is missing up to `now`: days and ticks that the ledger does not have, and the rest
 * of the sample's own days that were not over. Imported rows and everything older stay unchanged. Each load is a transaction. If the
 * service is killed meanwhile, the next call adds what is missing.
 */
export async function topUpSample(connection: DuckDBConnection, options: SampleOptions): Promise<void> {
  checkSize(options);
  const made = await connection.runAndReadAll(
    `SELECT 1 FROM mobility.batches WHERE table_name = 'geographies' AND country_code IN (SELECT country FROM ${COUNTRIES}) LIMIT 1`,
  );
  if (made.currentRowCount === 0) return generateSample(connection, options);
  await topUpTicks(connection, options);
  await topUpDays(connection, options);
}

/** Adds the ticks from the first one that a country lacks. Without one, the cells, which take most of a start, are not made. */
async function topUpTicks(connection: DuckDBConnection, options: SampleOptions): Promise<void> {
  const ticks = ticksAtStart(options);
  const [first, last] = [instant(ticks.first), instant(ticks.last)];
  const lacking = await connection.runAndReadAll(`SELECT epoch_ms(min(tick))::DOUBLE FROM
    (SELECT country, unnest(generate_series(${first}, ${last}, INTERVAL ${ticks.tickSeconds} SECOND)) AS tick FROM ${COUNTRIES})
    WHERE (country, tick) NOT IN (SELECT (country_code, tick) FROM intake.batches
      WHERE table_name = 'presence' AND tick BETWEEN ${first} AND ${last})`);
  const [[since]] = v.parse(Lacking, lacking.getRowsJS());
  if (since === null) return;
  await makeCells(connection, options);
  await loadPresence(connection, { ...ticks, first: new Date(since) });
  await connection.run("DROP TABLE sample_cells");
}

async function topUpDays(connection: DuckDBConnection, options: SampleOptions): Promise<void> {
  const { now, days = 14 } = options;
  await runAll(connection, [
    `CREATE TEMP TABLE sample_days AS ${daysQuery(now, days)}`,
    `CREATE TEMP TABLE sample_lacking AS ${FACTS.map((table) => lackingQuery(options, table)).join(" UNION ALL ")}`,
    "DELETE FROM sample_days WHERE (country, batch_date) NOT IN (SELECT (country, batch_date) FROM sample_lacking)",
  ]);
  const lacking = await connection.runAndReadAll("SELECT 1 FROM sample_days LIMIT 1");
  if (lacking.currentRowCount === 0) return runAll(connection, ["DROP TABLE sample_days", "DROP TABLE sample_lacking"]);
  await makePlaces(connection, options);
  await connection.run(`CREATE TEMP TABLE sample_hours AS ${hoursQuery(now)}`);
  await fillFacts(connection, options, {
    load: await openLoads(connection),
    steps: new SampleSteps(options),
    wanted: (table) => `(country_code, batch_date) IN (SELECT (country, batch_date) FROM sample_lacking WHERE name = '${table}')`,
  });
  await runAll(
    connection,
    [...TEMPORARY, "sample_lacking"].map((table) => `DROP TABLE ${table}`),
  );
}

/**
 * Returns a query for the days of `sample_days` that a table lacks (name, country, batch_date). The table has no batch of such a day, or
 * one that the sample made when the day was not over. A batch from another source has a different checksum from the sample's at that hour.
 */
function lackingQuery(options: SampleOptions, table: Fact): string {
  const known = `SELECT days.country, days.batch_date FROM sample_days AS days JOIN (${newestBatches(table)}) AS newest USING (country, batch_date)`;
  return `SELECT '${table}' AS name, country, batch_date FROM sample_days
    WHERE ${HOURLY.includes(table) ? "TRUE" : "finished"} AND (country, batch_date) NOT IN (SELECT (country, batch_date) FROM (${known}))
  UNION ALL SELECT '${table}', country, batch_date
    FROM (${known} WHERE newest.loaded_at < days.ends_at AND newest.loaded_at < days.loaded_at AND newest.checksum = ${sampleChecksumAt(options, "newest.loaded_at")})`;
}
