import * as v from "valibot";
import type { Statement } from "../google/statement.ts";
import { loadQuery, ruleOf, stagedBatches } from "./batches.ts";
import type { PublishedValue } from "./fact-table.ts";
import { INTAKE_DAYS, ledgerFilter } from "./ledger.ts";
import type { FactLoad } from "./staged-load.ts";

/** The rows of a batch that a correction changes by fewer than k devices. */
const KeptRows = v.object({ country_code: v.string(), period: v.string(), kept_rows: v.number() });
export type KeptRows = v.InferOutput<typeof KeptRows>;

/**
 * Returns the statement by which a small correction of a row changes nothing: where the old row has at least k devices and the new one
 * differs by fewer than k, the old one stays. Otherwise the two published numbers would tell of fewer than k devices. A country with protected
 * data has no such rule.
 */
export function keepUnchanged(load: FactLoad): string {
  return `MERGE \`${load.staging}\` AS staged
USING (
  ${oldRows(load)}
) AS old
ON ${isSameRow(load)}
WHEN MATCHED AND ${isSmall(load)} THEN
  UPDATE SET ${valuesOf(load)
    .map((name) => `${name} = old.${name}`)
    .join(", ")}`;
}

/** Returns a query of the batches with rows that `keepUnchanged` keeps although they differ: to run before the load. */
export function keptRowsStatement(load: FactLoad): Statement<KeptRows> {
  const sql = `SELECT staged.country_code, FORMAT_DATE('%F', staged.batch_date) AS period, COUNT(*) AS kept_rows
FROM \`${load.staging}\` AS staged
JOIN (
  ${oldRows(load)}
) AS old
  ON ${isSameRow(load)}
WHERE ${isSmall(load)}
  AND (${valuesOf(load)
    .map((name) => `staged.${name} IS DISTINCT FROM old.${name}`)
    .join(" OR ")})
GROUP BY staged.country_code, staged.batch_date`;
  return loadQuery(KeptRows, sql, load);
}

/** A query of the raw rows that a load replaces. A row that two loads at once have doubled is none: which one was published is unknown. */
function oldRows({ table, columns, key, ...load }: FactLoad): string {
  return `SELECT ${columns.map(({ name }) => name).join(", ")}
  FROM \`intake.${table}\` AS target
  WHERE target.loaded_on > "1970-01-01" AND ${stagedBatches({ table, columns, key, ...load }, "target")}
  QUALIFY COUNT(*) OVER (PARTITION BY ${rowKey(key).join(", ")}) = 1`;
}

function isSameRow({ key }: FactLoad): string {
  return rowKey(key)
    .map((name) => `staged.${name} = old.${name}`)
    .join(" AND ");
}

function isSmall({ countries }: FactLoad): string {
  const k = ruleOf(countries, "k", "old.country_code");
  return `${isOpen(countries, "old")} AND old.devices >= ${k} AND ABS(staged.devices - old.devices) < ${k}`;
}

/** Returns a condition for rows of countries whose counts the provider has not protected. */
function isOpen(countries: FactLoad["countries"], alias: string): string {
  return `CASE ${alias}.country_code ${countries.map((_, index) => `WHEN @country_${index} THEN NOT @protected_${index}`).join(" ")} END`;
}

function valuesOf({ columns, key }: FactLoad): string[] {
  return columns.map(({ name }) => name).filter((name) => !rowKey(key).includes(name));
}

/** The columns that tell rows apart. */
function rowKey(key: readonly string[]): string[] {
  return [...new Set(["country_code", "batch_date", ...key])];
}

/** A table of rows to publish. */
interface RowsToPublish {
  /** The table's name in `mobility`. */
  readonly table: string;
  /** The table that holds the rows to publish. */
  readonly rows: string;
  readonly columns: readonly string[];
  /** Returns the condition of the batches for rows under an alias. */
  readonly batches: (alias: string) => string;
  /** Whether the rows are days, made with the published numbers of their hours. */
  readonly hasHours: boolean;
}

/**
 * Returns the statement by which published numbers stay where the new ones differ by no more than one step. It runs after the load is in the
 * ledger. Counts of devices and their events have steps of devices and stay together; their minutes stay with them, but for the minutes of days that
 * are sums of published ones of hours. It is for batches
 *
 * - that were loaded again after their raw rows had left `intake`: without the old rows, `keepUnchanged` cannot tell a small correction.
 * - of areas, always: the devices that a coarser row or a day tells of depend on its parts, so corrected parts would give the same devices a
 *   second number, and the two of them together tell of fewer than k.
 *
 * A number stays only if it is a multiple of the country's step, which its rules may have changed.
 */
export function keepWithinStep(load: FactLoad, { table, rows, columns, batches, hasHours }: RowsToPublish): string {
  const { countries, publication } = load;
  const key = columns.filter((name) => !publication.values.some(({ column }) => column === name));
  const stepOf = (rule: "step" | "device_step"): string => ruleOf(countries, rule, "standing.country_code");
  const values = publication.values.filter((value) => !(hasHours && value.rule === "minutes" && value.addsOverHours));
  const kept = values.flatMap((value) => {
    const condition = isKept(value, publication.values, stepOf("step"), stepOf("device_step"));
    return condition === undefined ? [] : [`${value.column} = IF(${condition}, standing.${value.column}, fresh.${value.column})`];
  });
  return `MERGE \`${rows}\` AS fresh
USING (
  SELECT ${columns.map((name) => `standing.${name}`).join(", ")}
  FROM \`mobility.${table}\` AS standing${publication.nesting === "areas" ? "" : againJoin(load, table)}
  WHERE standing.batch_date BETWEEN @first_date AND @last_date AND ${batches("standing")}
  QUALIFY COUNT(*) OVER (PARTITION BY ${key.map((name) => `standing.${name}`).join(", ")}) = 1
) AS standing
ON ${key.map((name) => `fresh.${name} = standing.${name}`).join(" AND ")}
WHEN MATCHED AND ${isOpen(countries, "standing")} THEN
  UPDATE SET ${kept.join(", ")}`;
}

/** Returns the condition under which a published value stays; undefined for one that is always the new one. */
function isKept(value: PublishedValue, values: readonly PublishedValue[], step: string, deviceStep: string): string | undefined {
  const within = (column: string, most: string): string =>
    `ABS(fresh.${column} - standing.${column}) <= ${most} AND MOD(standing.${column}, ${most}) = 0`;
  if (value.rule === "people" || value.rule === "additive") return within(value.column, step);
  if (value.rule !== "devices" && value.rule !== "events" && value.rule !== "minutes") return undefined;
  const counts = values.flatMap(({ column, rule }) => (rule === "devices" || rule === "events" ? [column] : []));
  const isChanged = counts.map((column) => `fresh.${column} <> standing.${column}`).join(" OR ");
  return `(${isChanged}) AND ${counts.map((column) => within(column, deviceStep)).join(" AND ")}`;
}

function againJoin(load: FactLoad, table: string): string {
  return `
  JOIN (
    ${loadedAgain(load, table)}
  ) AS again
    ON again.country_code = standing.country_code AND again.batch_date = standing.batch_date`;
}

/** A query of the batches of a table that were loaded after the rows of an earlier load had left `intake`. */
function loadedAgain(load: FactLoad, table: string): string {
  return `SELECT DISTINCT country_code, batch_date
    FROM (
      SELECT
        country_code, batch_date, DATE(loaded_at) AS loaded_on,
        LAG(DATE(loaded_at)) OVER (PARTITION BY country_code, batch_date ORDER BY loaded_at) AS earlier
      FROM \`intake.batches\`
      WHERE ${ledgerFilter(load, `'${table}'`)}
    ) AS loads
    WHERE DATE_DIFF(loaded_on, earlier, DAY) >= ${INTAKE_DAYS}`;
}
