import type { DuckDBConnection } from "@duckdb/node-api";
import { COUNTRIES, daysQuery, hoursQuery } from "./calendar.ts";
import { cellsQuery, checkSize } from "./cells.ts";
import { placeStatements } from "./dimensions.ts";
import { fillFacts, generateSample, type SampleOptions, TEMPORARY, ticksAtStart } from "./generate.ts";
import { DAILY, presenceLedger, sampleBatches } from "./ledger.ts";
import { instant } from "./literals.ts";
import { presenceInsert, TICK_SECONDS } from "./presence.ts";
import { inOneTransaction } from "./transaction.ts";

/** Tables with rows for the hours of a day that is not over. */
const HOURLY = ["activities_hourly", "flows_hourly"];

/**
 * Makes the sample where there is none, and else adds what it lacks up to `now`: days and ticks that the ledger does not have, and the rest of the
 * sample's own days that were not over. What was imported stays as it is, and so does everything older. One transaction: all or nothing.
 */
export async function topUpSample(connection: DuckDBConnection, options: SampleOptions): Promise<void> {
  checkSize(options);
  const made = await connection.runAndReadAll(
    `SELECT 1 FROM mobility.batches WHERE table_name = 'geographies' AND country_code IN (SELECT country FROM ${COUNTRIES}) LIMIT 1`,
  );
  if (made.currentRowCount === 0) return generateSample(connection, options);
  await inOneTransaction(connection, async () => {
    await topUpDays(connection, options);
    await topUpTicks(connection, options);
  });
}

async function topUpDays(connection: DuckDBConnection, options: SampleOptions): Promise<void> {
  const { seed, now, days = 14 } = options;
  const run = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await connection.run(statement);
  };
  await run([
    `CREATE TEMP TABLE sample_days AS ${daysQuery(now, days)}`,
    `CREATE TEMP TABLE sample_lacking AS ${DAILY.map((ledgered) => lackingQuery(options, ledgered)).join(" UNION ALL ")}`,
    "DELETE FROM sample_days WHERE (country, batch_date) NOT IN (SELECT (country, batch_date) FROM sample_lacking)",
  ]);
  const lacking = await connection.runAndReadAll("SELECT 1 FROM sample_days LIMIT 1");
  if (lacking.currentRowCount === 0) return run(["DROP TABLE sample_days", "DROP TABLE sample_lacking"]);
  await run([
    ...placeStatements(options),
    `CREATE TEMP TABLE sample_hours AS ${hoursQuery(now)}`,
    ...DAILY.map(({ table }) => `CREATE TEMP TABLE fresh_${table} AS FROM mobility.${table} LIMIT 0`),
  ]);
  await fillFacts(
    connection,
    seed,
    (table) => `fresh_${table}`,
    (_, statements) => run(statements),
  );
  for (const ledgered of DAILY) {
    const { table } = ledgered;
    const isLacking = `(country_code, batch_date) IN (SELECT (country, batch_date) FROM sample_lacking WHERE name = '${table}')`;
    await run([
      `DELETE FROM fresh_${table} WHERE NOT (${isLacking})`,
      `DELETE FROM mobility.${table} WHERE ${isLacking}`,
      `INSERT INTO mobility.${table} FROM fresh_${table}`,
      `INSERT INTO mobility.batches (country_code, table_name, batch_date, tick, version, row_count, suppressed_count, checksum, loaded_at)
      SELECT country, name, batch_date, NULL, coalesce(newest.version, 0) + 1, row_count, suppressed_count, batch.checksum, batch.loaded_at
      FROM (${sampleBatches(options, ledgered, `fresh_${table}`)}) AS batch LEFT JOIN (${newestQuery(table)}) AS newest USING (country, batch_date)
      ORDER BY country, batch_date`,
      `DROP TABLE fresh_${table}`,
    ]);
  }
  await run([...TEMPORARY.map((table) => `DROP TABLE ${table}`), "DROP TABLE sample_lacking"]);
}

/**
 * A query for the days of `sample_days` that a table lacks (name, country, batch_date): it has no batch of them, or one that the sample made when the
 * day was not over. What is in the table tells whether the sample made it: a batch of somebody else's has another checksum.
 */
function lackingQuery(options: SampleOptions, ledgered: (typeof DAILY)[number]): string {
  const { table } = ledgered;
  const known = `SELECT days.country, days.batch_date, newest.checksum FROM sample_days AS days JOIN (${newestQuery(table)}) AS newest USING (country, batch_date)`;
  const unfinished = `${known} WHERE newest.loaded_at < days.ends_at AND newest.loaded_at < days.loaded_at`;
  const rows = `(FROM mobility.${table} WHERE (country_code, batch_date) IN (SELECT (country, batch_date) FROM (${unfinished})))`;
  return `SELECT '${table}' AS name, country, batch_date FROM sample_days
    WHERE ${HOURLY.includes(table) ? "TRUE" : "finished"} AND (country, batch_date) NOT IN (SELECT (country, batch_date) FROM (${known}))
  UNION ALL SELECT '${table}', country, batch_date FROM (${unfinished}) AS old
    SEMI JOIN (${sampleBatches(options, ledgered, rows)}) AS own USING (country, batch_date, checksum)`;
}

/** The newest version of each batch of a table: country, batch_date, version, checksum, loaded_at. */
function newestQuery(table: string): string {
  return `SELECT country_code AS country, batch_date, max(version) AS version, max_by(checksum, version) AS checksum, max_by(loaded_at, version) AS loaded_at
    FROM mobility.batches WHERE table_name = '${table}' AND batch_date IS NOT NULL GROUP BY ALL`;
}

async function topUpTicks(connection: DuckDBConnection, options: SampleOptions): Promise<void> {
  const { seed, now, tickSeconds = TICK_SECONDS } = options;
  const { first, last } = ticksAtStart(now, tickSeconds);
  const known = `SELECT (country_code, tick) FROM mobility.batches WHERE table_name = 'presence' AND tick BETWEEN ${instant(first)} AND ${instant(last)}`;
  for (const statement of [
    "CREATE TEMP TABLE fresh_presence AS FROM mobility.presence LIMIT 0",
    presenceInsert({ cells: `(${cellsQuery(options)})`, seed, first, last, tickSeconds, into: "fresh_presence" }),
    `DELETE FROM fresh_presence WHERE (country_code, tick) IN (${known})`,
    "INSERT INTO mobility.presence FROM fresh_presence",
    presenceLedger(seed, first, last, "fresh_presence"),
    "DROP TABLE fresh_presence",
  ])
    await connection.run(statement);
}
