import { createHash } from "node:crypto";
import type { CountryRules, CountryTable } from "../countries/country-rules.ts";
import type { Column } from "../google/columns.ts";
import type { LandedObject } from "../google/landing-bucket.ts";
import { computedColumns, LOADED_TABLES, type LoadedTable, loadedCountry } from "../products/loaded-tables.ts";
import { civilDate } from "../products/time-window.ts";
import type { Publication } from "../publishing/fact-table.ts";
import { PUBLISHING_RULE_VERSION } from "../publishing/nesting.ts";
import type { FactLoad, LoadedCountry } from "../publishing/staged-load.ts";
import { BadBatch } from "./batch-fault.ts";
import { fileOf } from "./delivery.ts";
import type { LandingFolder } from "./landing-path.ts";

/** A table of days. */
export interface LandedTable extends LoadedTable {
  readonly publication: Publication;
}

/** The tables of days: what arrives in the landing bucket. */
export const LANDED_TABLES: readonly LandedTable[] = LOADED_TABLES.flatMap(({ publication, ...table }) =>
  publication === undefined ? [] : [{ ...table, publication }],
);

/** A day of a country in a table, and the rules by which it is loaded. */
export interface BatchPlan {
  readonly folder: LandingFolder;
  readonly table: LandedTable;
  readonly country: { readonly code: string; readonly rules: CountryRules; readonly loaded: LoadedCountry };
}

/**
 * Returns the plan of a folder's batch. Throws a BadBatch if there is no such table or country, the country does not offer the table's product, or
 * the day has not begun there.
 */
export function planOf(folder: LandingFolder, countries: CountryTable, now: Date): BatchPlan {
  const table = LANDED_TABLES.find(({ name }) => name === folder.table);
  const fault = (says: string, right: string): BadBatch => new BadBatch([{ file: undefined, line: undefined, says, right }]);
  if (!table) throw fault(`${folder.table} is no table of days`, LANDED_TABLES.map(({ name }) => name).join(", "));
  const rules = Object.hasOwn(countries, folder.country) ? countries[folder.country] : undefined;
  if (!rules) throw fault(`${folder.country} is not a known country`, Object.keys(countries).join(", "));
  const loaded = loadedCountry(table, folder.country, rules);
  if (!loaded) throw fault(`${folder.country} does not offer the product of ${folder.table}`, "a country whose rules offer it");
  const today = civilDate(now, rules.timeZone);
  if (folder.date > today) throw fault(`${folder.date} is a day in the future`, `a day up to ${today}, which it is in ${rules.timeZone}`);
  return { folder, table, country: { code: folder.country, rules, loaded } };
}

/** Returns the format of a batch's files. Throws a BadBatch if there are none, or of two formats: one load job has one format. */
export function formatOf(files: readonly LandedObject[]): "CSV" | "PARQUET" {
  const isParquet = files.map(({ name }) => name.endsWith(".parquet"));
  if (files.length === 0)
    throw new BadBatch([
      { file: undefined, line: undefined, says: "The manifest brings no files", right: "one CSV or Parquet file or more" },
    ]);
  if (!isParquet.includes(true)) return "CSV";
  if (!isParquet.includes(false)) return "PARQUET";
  const [first] = files.filter((_, index) => isParquet[index] !== isParquet[0]);
  throw new BadBatch([
    {
      file: first && fileOf(first),
      line: undefined,
      says: "is of another format than the files before",
      right: "files of one format in a day",
    },
  ]);
}

/** What one load job takes. Source: https://cloud.google.com/bigquery/quotas#load_jobs */
const FILES_MAX = 10_000;

/**
 * Throws a BadBatch for files that a load job cannot be given: too many, or with `*` in a name, which stands for any text in its addresses, so that it
 * would read other files too.
 */
export function refuseUnloadable(files: readonly LandedObject[]): void {
  if (files.length > FILES_MAX)
    throw new BadBatch([
      {
        file: undefined,
        line: undefined,
        says: `The day has ${files.length} files`,
        right: `at most ${FILES_MAX}, which one load job takes`,
      },
    ]);
  const faults = files.flatMap((file) => (file.name.includes("*") ? [fileOf(file)] : []));
  if (faults.length > 0)
    throw new BadBatch(
      faults.map((file) => ({ file, line: undefined, says: "has a * in its name, which stands for any text", right: "a name without *" })),
    );
}

/**
 * Returns the checksum of a batch: of its files, and of everything else that decides what is published of them.
 * @param geographies the version of the country's geographies
 */
export function checksumOf({ table, country }: BatchPlan, files: readonly LandedObject[], geographies: number): string {
  const content = files.map(({ name, crc32c, size }) => [fileOf({ name }), crc32c, size]);
  const rules = [country.loaded, country.rules.timeZone, geographies, PUBLISHING_RULE_VERSION];
  return createHash("sha256")
    .update(JSON.stringify(["landing", content, table.name, ...rules]))
    .digest("hex");
}

/** Returns the load of a batch whose rows are staged. `columns` are those of the table in `intake`. */
export function loadOf({ table, folder, country }: BatchPlan, staging: string, columns: readonly Column[], checksum: string): FactLoad {
  return {
    ...{ table: table.name, key: table.key, replaces: table.replaces, publication: table.publication },
    staging,
    columns: columns.map(({ name }) => ({ name, isGeography: false })),
    countries: [country.loaded],
    days: { first: folder.date, last: folder.date },
    checksum,
  };
}

/** Returns the columns of a table that a file brings: all but those that the load computes. */
export function broughtColumns(table: LandedTable, columns: readonly Column[]): Column[] {
  const computed = computedColumns(table);
  return columns.filter(({ name }) => !computed.includes(name));
}

/**
 * Returns the name of a batch's jobs and staging tables. It follows from the batch and the version that it will have, so a repeated delivery meets
 * the jobs of the first, and a batch that is loaded again after another one has jobs of its own.
 */
export function batchId({ table, country, date }: LandingFolder, checksum: string, version: number): string {
  return `import_${table}_${country}_${date.replaceAll("-", "")}_${checksum.slice(0, 16)}_v${version}`;
}
