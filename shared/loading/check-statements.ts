import * as v from "valibot";
import { type CountryRules, GEO_TYPES } from "../countries/country-rules.ts";
import type { Column } from "../google/columns.ts";
import { NoRow, type Parameters, type Statement, statement } from "../google/statement.ts";
import { VALUE_COLUMNS } from "../products/catalogue.ts";
import type { LandedTable } from "./batch.ts";
import { FAULTS_MAX } from "./batch-fault.ts";

/** A faulty row: what is wrong with which value, and the key by which the row is found in its file. */
const FaultyRow = v.object({
  column_name: v.string(),
  value: v.nullable(v.string()),
  says: v.string(),
  correct: v.string(),
  row_key: v.array(v.string()),
  total: v.number(),
});
export type FaultyRow = v.InferOutput<typeof FaultyRow>;

/** A batch whose rows are staged. */
interface StagedBatch {
  readonly table: LandedTable;
  /** The staged rows, `staging.import_…`, with every column of the table. */
  readonly rows: string;
  readonly columns: readonly Column[];
  readonly country: { readonly code: string; readonly rules: CountryRules };
  /** The civil day. */
  readonly date: string;
}

/**
 * Returns the script that makes the rows of a batch from what a load job has loaded. What the folder's name already says may be left out of the
 * files: `country_code`, and `batch_date` of tables with a `time_bucket`.
 * @param loaded the table that the load job has made, `staging.import_…`
 * @param given the names of its columns. Of Parquet files they are all columns of the table: those that a file lacks are null.
 */
export function arrangeStatement(
  batch: StagedBatch,
  loaded: string,
  { given, format }: { readonly given: readonly string[]; readonly format: "CSV" | "PARQUET" },
): Statement<never> {
  const told: Readonly<Record<string, string>> = { country_code: "@country", batch_date: "@batch_date" };
  const values = batch.columns.map(({ name, type }) => {
    const value = Object.hasOwn(told, name) ? told[name] : undefined;
    if (!given.includes(name)) return value === undefined ? `CAST(NULL AS ${type}) AS ${name}` : `${value} AS ${name}`;
    return value !== undefined && format === "PARQUET" ? `COALESCE(${name}, ${value}) AS ${name}` : name;
  });
  return statement(
    NoRow,
    `CREATE OR REPLACE TABLE \`${batch.rows}\` AS SELECT ${values.join(", ")} FROM \`${loaded}\``,
    parametersOf(batch),
  );
}

/** Returns the columns that a file must have. */
export function requiredColumns({ table, columns }: Pick<StagedBatch, "table" | "columns">): string[] {
  const told = ["country_code", ...(table.bucket === undefined ? [] : ["batch_date"])];
  return columns.flatMap(({ name, required }) => (required && !told.includes(name) ? [name] : []));
}

/** Returns a query of the first faults of a batch's rows, and of how many there are. Without rows the batch has none. */
export function faultsStatement(batch: StagedBatch): Statement<FaultyRow> {
  const queries = [
    ...foreignRows(batch),
    ...faultyValues(batch),
    ...faultyBuckets(batch),
    ...faultyCounts(batch),
    ...unknownIds(batch),
    sameKeys(batch),
  ];
  const sql = `SELECT column_name, value, says, correct, row_key, COUNT(*) OVER () AS total
FROM (
  ${queries.join("\n  UNION ALL\n  ")}
)
ORDER BY column_name, value, says
LIMIT ${FAULTS_MAX}`;
  return statement(FaultyRow, sql, parametersOf(batch));
}

function parametersOf({ country: { code, rules }, date }: StagedBatch): Parameters {
  return {
    country: { type: "STRING", value: code },
    batch_date: { type: "DATE", value: date },
    time_zone: { type: "STRING", value: rules.timeZone },
    k: { type: "INT64", value: rules.k },
    people_per_device: { type: "FLOAT64", value: rules.peopleOfDevice ?? 0 },
  };
}

interface Fault {
  readonly column: string;
  /** SQL expressions; a literal has its quotes. */
  readonly says: string;
  readonly correct: string;
  readonly where: string;
  readonly join?: string;
}

function faultQuery({ table, rows, columns }: StagedBatch, { column, says, correct, where, join = "" }: Fault): string {
  const typeOf = new Map(columns.map(({ name, type }) => [name, type]));
  const keys = table.key.map((name) => textOf(name, typeOf.get(name)));
  return `SELECT '${column}' AS column_name, ${textOf(column, typeOf.get(column))} AS value, ${says} AS says, ${correct} AS correct, [${keys.join(", ")}] AS row_key
  FROM \`${rows}\` AS r${join}
  WHERE ${where}`;
}

function textOf(name: string, type: Column["type"] | undefined): string {
  if (type === "TIMESTAMP") return `FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.${name})`;
  return type === "STRING" ? `r.${name}` : `CAST(r.${name} AS STRING)`;
}

function foreignRows(batch: StagedBatch): string[] {
  const country = { column: "country_code", says: "'is another country'", correct: "@country", where: "r.country_code <> @country" };
  const day = {
    column: "batch_date",
    says: "'is another day'",
    correct: "CAST(@batch_date AS STRING)",
    where: "r.batch_date <> @batch_date",
  };
  return [country, day].map((fault) => faultQuery(batch, fault));
}

function faultyValues(batch: StagedBatch): string[] {
  const numbers = batch.columns.filter(({ name }) => VALUE_COLUMNS.includes(name) || name === "devices");
  const types = GEO_TYPES.map((type) => `'${type}'`).join(", ");
  return [
    ...numbers.map(({ name }) => ({ column: name, says: "'is negative'", correct: "'0 or more'", where: `r.${name} < 0` })),
    ...batch.columns.flatMap(({ name }) =>
      name.endsWith("geo_type")
        ? [{ column: name, says: "'is no geography type'", correct: `'${GEO_TYPES.join(", ")}'`, where: `r.${name} NOT IN (${types})` }]
        : [],
    ),
    ...(batch.columns.some(({ name }) => name === "direction")
      ? [{ column: "direction", says: "'is no direction'", correct: "'-1 or 1'", where: "r.direction NOT IN (-1, 1)" }]
      : []),
  ].map((fault) => faultQuery(batch, fault));
}

function faultyBuckets(batch: StagedBatch): string[] {
  const { bucket } = batch.table;
  if (bucket === undefined) return [];
  const begins = "TIMESTAMP(@batch_date, @time_zone)";
  const isDay = "DATE(r.time_bucket, @time_zone) = @batch_date";
  const day = {
    column: "time_bucket",
    says: "CONCAT('is not on the day in ', @time_zone)",
    correct: "CONCAT('an instant of ', CAST(@batch_date AS STRING), ' in ', @time_zone)",
    where: `NOT (${isDay})`,
  };
  const start =
    bucket === "hour"
      ? {
          says: "'is not the start of an hour'",
          correct: "'minutes and seconds of 0'",
          where: "r.time_bucket <> TIMESTAMP_TRUNC(r.time_bucket, HOUR)",
        }
      : {
          says: "'is not when the day begins'",
          correct: `FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', ${begins})`,
          where: `${isDay} AND r.time_bucket <> ${begins}`,
        };
  return [faultQuery(batch, day), faultQuery(batch, { column: "time_bucket", ...start })];
}

/**
 * Faults of counts against the row's devices. A provider that protects its counts publishes them as they are, so it must leave out those of fewer
 * than k devices itself; of others the publishing rule takes them out.
 */
function faultyCounts(batch: StagedBatch): string[] {
  const { values } = batch.table.publication;
  const { isProtected, peopleOfDevice } = batch.country.rules;
  return values.flatMap(({ column, rule }) => {
    if (rule === "people" && !isProtected && peopleOfDevice !== undefined) {
      const most = "CAST(CEIL(r.devices * @people_per_device) AS INT64)";
      const says = "CONCAT('is more people than ', CAST(r.devices AS STRING), ' devices stand for')";
      return [faultQuery(batch, { column, says, correct: `CONCAT('at most ', CAST(${most} AS STRING))`, where: `r.${column} > ${most}` })];
    }
    if (rule !== "devices") return [];
    const tooMany = {
      column,
      says: "'is more than the devices of the row'",
      correct: "CONCAT('at most ', CAST(r.devices AS STRING))",
      where: `r.${column} > r.devices`,
    };
    const tooFew = {
      column,
      says: "CONCAT('is a count of fewer than ', CAST(@k AS STRING), ' devices of a protected country')",
      correct: "CONCAT('0, or at least ', CAST(@k AS STRING))",
      where: `r.${column} > 0 AND r.${column} < @k`,
    };
    return [faultQuery(batch, tooMany), ...(isProtected ? [faultQuery(batch, tooFew)] : [])];
  });
}

function unknownIds(batch: StagedBatch): string[] {
  return batch.table.references.map(({ id, table, geoType }) => {
    const known = table === "geographies" ? "geo_id" : "link_id";
    const type = geoType === undefined ? "" : ` AND known.geo_type = r.${geoType}`;
    return faultQuery(batch, {
      column: id,
      says: `'is not in ${table}'`,
      correct: `'an id of ${table}, or ${table} with this id loaded first'`,
      join: `\n  LEFT JOIN \`mobility.${table}\` AS known ON known.country_code = r.country_code${type} AND known.${known} = r.${id}`,
      where: `known.${known} IS NULL`,
    });
  });
}

function sameKeys(batch: StagedBatch): string {
  const [column = ""] = batch.table.key.slice(-1);
  return `${faultQuery(batch, { column, says: "'is on a row whose key another row has too'", correct: `'one row for each ${batch.table.key.join(", ")}'`, where: "TRUE" })}
  QUALIFY COUNT(*) OVER (PARTITION BY ${batch.table.key.map((name) => `r.${name}`).join(", ")}) > 1`;
}
