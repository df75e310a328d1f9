import { stagedBatches } from "./batches.ts";
import { keepUnchanged } from "./kept-numbers.ts";
import { ledgerFilter } from "./ledger.ts";
import { type Publishing, publishing, stagedRows } from "./publish.ts";
import type { FactLoad } from "./staged-load.ts";

/** The statements of a load: before, within and after its transaction. */
export interface LoadSteps {
  readonly before: readonly string[];
  readonly within: readonly string[];
  readonly after: readonly string[];
}

/**
 * Returns the statements that replace the raw rows of batches in `intake` and publish them in `mobility`. A load of hours publishes their days
 * again; a load of days whose hours are not in `intake` publishes nothing: days wait for their hours.
 */
export function factSteps(load: FactLoad): LoadSteps {
  const published = publishedWith(load);
  return {
    before: published.flatMap(({ create }) => create),
    within: [keepUnchanged(load), replace(load), insert(load), append(load), ...published.flatMap(({ publish }) => publish)],
    after: published.flatMap(({ drop }) => drop),
  };
}

/** Returns what a load publishes: its own table, and with hours their days. */
export function publishedWith(load: FactLoad): Publishing[] {
  const { hours } = load.publication;
  if (hours?.daily === load.table) return [publishing(load, hours.daily, { beside: [hours.hourly] })];
  const own = publishing(load, load.table);
  if (hours?.hourly !== load.table) return [own];
  return [own, publishing(load, hours.daily, { beside: [hours.daily], decidedHours: stagedRows(load, load.table) })];
}

function replace(load: FactLoad): string {
  return `DELETE FROM \`intake.${load.table}\` target
WHERE target.loaded_on > "1970-01-01" AND ${stagedBatches(load, "target")}`;
}

function insert({ table, staging, columns }: FactLoad): string {
  const names = columns.map(({ name }) => name).join(", ");
  return `INSERT INTO \`intake.${table}\` (${names}, loaded_on)
SELECT ${names}, CURRENT_DATE()
FROM \`${staging}\``;
}

function append(load: FactLoad): string {
  return `INSERT INTO \`intake.batches\` (country_code, table_name, batch_date, tick, version, row_count, checksum, loaded_at)
SELECT
  loaded.country_code, @table_name, loaded.batch_date, CAST(NULL AS TIMESTAMP), COALESCE(earlier.version, 0) + 1,
  loaded.row_count, @checksum, CURRENT_TIMESTAMP()
FROM (
  SELECT country_code, batch_date, COUNT(*) AS row_count
  FROM \`${load.staging}\`
  GROUP BY country_code, batch_date
) AS loaded
LEFT JOIN (
  SELECT country_code, batch_date, MAX(version) AS version
  FROM \`intake.batches\`
  WHERE ${ledgerFilter(load)}
  GROUP BY country_code, batch_date
) AS earlier
  ON earlier.country_code = loaded.country_code AND earlier.batch_date = loaded.batch_date`;
}
