import * as v from "valibot";
import { NoRow, type Parameters, type Statement, statement } from "../google/statement.ts";
import type { Format } from "./request-fields.ts";
import { DataVersionsRow, type SummaryRow, summaryRow } from "./summary.ts";

/** How many rows a job's inline preview holds. */
const PREVIEW_ROWS_MAX = 100;

/** A column of a product, with the type that it has in Parquet. */
export interface Column {
  readonly name: string;
  readonly type: "INT64" | "FLOAT64" | "STRING" | "DATE" | "TIMESTAMP";
}

/**
 * A product's query before it is known what becomes of its rows. `ctes` ends in one named `result_rows`, which has `columns` and
 * `publishable`; rows that are not publishable are counted, never shown.
 */
export interface ProductQuery {
  /** The fact table, as the ledger names it. */
  readonly table: string;
  /** A row as a summary takes it along. */
  readonly row: v.GenericSchema;
  readonly ctes: string;
  readonly columns: readonly Column[];
  /** The order of a preview: columns of `result_rows`. */
  readonly order: readonly string[];
  /** The parameters that hold requested ids, each with the parameter that holds their geography type. */
  readonly ids: readonly { readonly parameter: string; readonly typeParameter: string }[];
  readonly parameters: Parameters;
}

/** How many of the published rows a summary takes along: none, the first of a job's preview, or all of a day's. */
export type PreviewRows = "none" | "first" | "all";

/** Counts published and withheld rows, names unknown ids and data versions, and takes along rows that are to be shown. One row, one scan. */
export function summaryStatement(query: ProductQuery, rows: PreviewRows): Statement<SummaryRow> {
  const row = query.columns.map((column) => `${asText(column)} AS ${column.name}`).join(", ");
  const preview = `ARRAY_AGG(IF(publishable, STRUCT(${row}), NULL) IGNORE NULLS ORDER BY ${query.order.join(", ")}${rows === "first" ? ` LIMIT ${PREVIEW_ROWS_MAX}` : ""})`;
  const sql = `WITH ${query.ctes}
SELECT
  COUNTIF(publishable) AS total_rows,
  COUNTIF(NOT publishable) AS suppressed_rows,
  ${unknownIds(query)} AS unknown_ids,
  ${dataVersions(query)} AS data_versions${rows === "none" ? "" : `,\n  ${preview} AS preview`}
FROM result_rows`;
  return statement(summaryRow(query.row), sql, query.parameters);
}

/** The data versions of a query's window and nothing else: one row, for who has to know whether they are still what they were. */
export function dataVersionsStatement(query: ProductQuery): Statement<DataVersionsRow> {
  return statement(DataVersionsRow, `SELECT\n  ${dataVersions(query)} AS data_versions`, query.parameters);
}

const EXPORT_OPTIONS: Record<Format, { readonly format: string; readonly extension: string; readonly options: string }> = {
  csv: { format: "CSV", extension: "csv.gz", options: "compression = 'GZIP', header = TRUE" },
  json: { format: "JSON", extension: "json.gz", options: "compression = 'GZIP'" },
  parquet: { format: "PARQUET", extension: "parquet", options: "compression = 'SNAPPY'" },
};

/**
 * Writes the published rows as files that begin with `prefix` (bucket and name, made by the service, never by a request).
 * The rows have no order: a global sort would bind the size of an export to one worker's memory.
 */
export function exportStatement(query: ProductQuery, format: Format, bucket: string, prefix: string): Statement<never> {
  const target = `gs://${bucket}/${prefix}`;
  if (!/^gs:\/\/[\w./-]+$/.test(target)) throw new Error("An export's address may hold letters, digits, dots, dashes and slashes only");
  const { format: name, extension, options } = EXPORT_OPTIONS[format];
  const columns = query.columns.map((column) => (format === "parquet" ? column.name : `${asText(column)} AS ${column.name}`)).join(", ");
  const sql = `EXPORT DATA OPTIONS (uri = '${target}*.${extension}', format = '${name}', ${options}, overwrite = TRUE) AS
${publishedRows(query, columns)}`;
  return statement(NoRow, sql, query.parameters);
}

/** The published rows themselves: it reads what an export reads, and needs no place to write to. */
export function rowsStatement(query: ProductQuery): Statement {
  return statement(v.unknown(), publishedRows(query, query.columns.map(({ name }) => name).join(", ")), query.parameters);
}

function publishedRows({ ctes }: ProductQuery, columns: string): string {
  return `WITH ${ctes}
SELECT ${columns}
FROM result_rows
WHERE publishable`;
}

/** The manifest's column list: files of text hold times as text in the format of the responses. */
export function exportColumns(query: ProductQuery, format: Format): Column[] {
  return query.columns.map(({ name, type }) => ({ name, type: format !== "parquet" && type === "TIMESTAMP" ? "STRING" : type }));
}

function dataVersions({ table }: ProductQuery): string {
  return `ARRAY(
    SELECT AS STRUCT FORMAT_DATE('%F', batch_date) AS batch_date, MAX(version) AS version
    FROM \`mobility.batches\`
    WHERE country_code = @country_code AND table_name = '${table}' AND batch_date BETWEEN @first_date AND @last_date
    GROUP BY 1
    ORDER BY 1
  )`;
}

function asText({ name, type }: Column): string {
  if (type === "TIMESTAMP") return `FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%E3SZ', ${name})`;
  return type === "DATE" ? `FORMAT_DATE('%F', ${name})` : name;
}

function unknownIds({ ids }: ProductQuery): string {
  if (ids.length === 0) return "CAST([] AS ARRAY<INT64>)";
  const sides = ids.map(
    ({ parameter, typeParameter }) => `SELECT id
    FROM UNNEST(@${parameter}) AS id
    WHERE id NOT IN (SELECT geo_id FROM \`mobility.geographies\` WHERE country_code = @country_code AND geo_type = @${typeParameter})`,
  );
  return `ARRAY(
    ${sides.join("\n    UNION DISTINCT\n    ")}
    ORDER BY id
  )`;
}
