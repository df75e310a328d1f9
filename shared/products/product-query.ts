import * as v from "valibot";
import { NoRow, type Parameters, type Statement, statement } from "../google/statement.ts";
import type { Format } from "./request-fields.ts";
import type { DataVersion } from "./result-meta.ts";
import { DataVersionsRow, rowsOfText, type SummaryRow, summaryRow } from "./summary.ts";

/** The maximum number of rows of a job's inline preview. */
const PREVIEW_ROWS_MAX = 100;

/** A column of a product, with its type in Parquet. */
export interface Column {
  readonly name: string;
  readonly type: "INT64" | "FLOAT64" | "STRING" | "DATE" | "TIMESTAMP";
}

/**
 * A product's query, shared by summaries and exports. Its last CTE is `result_rows`, with `columns`: the published rows. Nothing depends on
 * withheld rows.
 */
export interface ProductQuery {
  /** The fact table's name in the ledger. */
  readonly table: string;
  /** The schema of a preview row in a summary. */
  readonly row: v.GenericSchema;
  readonly ctes: string;
  readonly columns: readonly Column[];
  /** The columns of `result_rows` that order a preview. */
  readonly order: readonly string[];
  /** How a synchronous preview selects its rows: those with the largest value of a column, ties in `order`. Left out: all rows. */
  readonly largest?: { readonly by: string; readonly rowsMax: number };
  /** The column that is null in a row that stands for none. Left out if there is no such row. */
  readonly emptyWithout?: string;
  /** The parameters that hold requested ids, each with the parameter of their geography type and their column of `result_rows`. */
  readonly ids: readonly { readonly parameter: string; readonly typeParameter: string; readonly column: string }[];
  readonly parameters: Parameters;
}

/** How many published rows a summary includes: none, or the first rows for a job's preview. */
export type PreviewRows = "none" | "first";

/** Returns a query of the number of rows, unknown ids, what warnings need, data versions and preview rows. One row, one scan. */
export function summaryStatement(query: ProductQuery, rows: PreviewRows): Statement<SummaryRow> {
  const row = query.columns.map((column) => `${asText(column)} AS ${column.name}`).join(", ");
  const preview = `ARRAY_AGG(STRUCT(${row}) ORDER BY ${query.order.join(", ")} LIMIT ${PREVIEW_ROWS_MAX})`;
  return statement(summaryRow(v.array(query.row)), summarySql(query, rows === "none" ? undefined : preview), query.parameters);
}

/**
 * Returns a query of the same with the rows of a synchronous preview: all, or the largest. They are one text, in which columns have short names: an answer
 * of BigQuery has at most 20 MB, and there may be 125,000 rows. A text also takes half the time and the memory of an array.
 * Source: https://cloud.google.com/bigquery/docs/paging-results
 */
export function previewStatement(query: ProductQuery): Statement<SummaryRow> {
  const { columns, order, largest, row } = query;
  const keys = order.join(", ");
  const ordered = largest ? `${largest.by} DESC, ${keys} LIMIT ${largest.rowsMax}` : keys;
  const values = columns.map((column, index) => `${asText(column)} AS ${shortName(index)}`).join(", ");
  const rows = rowsOfText(new Map(columns.map(({ name }, index) => [shortName(index), name])), row);
  return statement(
    summaryRow(rows),
    summarySql(query, `TO_JSON_STRING(ARRAY_AGG(STRUCT(${values}) ORDER BY ${ordered}))`),
    query.parameters,
  );
}

function shortName(index: number): string {
  return `c${index}`;
}

/** The SQL of a summary, with a column for the rows of a preview. */
function summarySql(query: ProductQuery, preview: string | undefined): string {
  return `WITH ${query.ctes}
SELECT
  COUNT(*) AS total_rows,
${query.emptyWithout === undefined ? "" : `  COUNT(${query.emptyWithout}) AS valued_rows,\n`}  ${unknownIds(query)} AS unknown_ids,${publishedIds(query)}
  ${newestDate(query)} AS newest_date,
  ${dataVersions(query)} AS data_versions${preview === undefined ? "" : `,\n  ${preview} AS preview`}
FROM result_rows`;
}

/** Returns a query of only the data versions of a query's window, to check whether they have changed: one row. */
export function dataVersionsStatement(query: ProductQuery): Statement<DataVersionsRow> {
  return statement(DataVersionsRow, `SELECT\n  ${dataVersions(query)} AS data_versions`, query.parameters);
}

/** A day of a table in the ledger. */
const LedgerBytesRow = v.object({ batch_date: v.string(), bytes: v.number() });
export type LedgerBytesRow = v.InferOutput<typeof LedgerBytesRow>;

/** What a row is counted as if its load did not record its bytes. */
const ROW_BYTES = 100;

/** Returns a query of the bytes of the published rows of a country in a fact table, by day. */
export function ledgerBytesStatement(country: string, table: string): Statement<LedgerBytesRow> {
  const sql = `SELECT FORMAT_DATE('%F', batch_date) AS batch_date, COALESCE(bytes, row_count * ${ROW_BYTES}) AS bytes
FROM \`mobility.batches\`
WHERE country_code = @country_code AND table_name = @table_name AND batch_date IS NOT NULL
QUALIFY ROW_NUMBER() OVER (PARTITION BY batch_date ORDER BY version DESC, loaded_at DESC) = 1`;
  return statement(LedgerBytesRow, sql, { country_code: { type: "STRING", value: country }, table_name: { type: "STRING", value: table } });
}

const EXPORT_OPTIONS: Record<Format, { readonly format: string; readonly extension: string; readonly options: string }> = {
  csv: { format: "CSV", extension: "csv.gz", options: "compression = 'GZIP', header = TRUE" },
  json: { format: "JSON", extension: "json.gz", options: "compression = 'GZIP'" },
  parquet: { format: "PARQUET", extension: "parquet", options: "compression = 'SNAPPY'" },
};

/** Where an export writes: the service makes bucket and prefix, never a request. */
interface ExportTarget {
  readonly format: Format;
  readonly bucket: string;
  /** What the names of the files begin with. */
  readonly prefix: string;
}

/**
 * Returns a statement that exports the published rows to files, if the data versions are those given, and otherwise no row. The rows are not
 * ordered: a global sort would limit an export to the memory of one worker.
 */
export function exportStatement(
  query: ProductQuery,
  versions: readonly DataVersion[],
  { format, bucket, prefix }: ExportTarget,
): Statement<never> {
  const target = `gs://${bucket}/${prefix}`;
  if (!/^gs:\/\/[\w./-]+$/.test(target))
    throw new Error("An export's URI may contain only letters, digits, underscores, dots, dashes and slashes");
  const { format: name, extension, options } = EXPORT_OPTIONS[format];
  const columns = query.columns.map((column) => (format === "parquet" ? column.name : `${asText(column)} AS ${column.name}`)).join(", ");
  const sql = `EXPORT DATA OPTIONS (uri = '${target}*.${extension}', format = '${name}', ${options}, overwrite = TRUE) AS
${publishedRows(query, columns)}`;
  return statement(NoRow, sql, parametersWith(query, versions));
}

/** Returns a query of the rows of an export. It reads the same bytes, but needs no destination. */
export function rowsStatement(query: ProductQuery, versions: readonly DataVersion[]): Statement {
  const columns = query.columns.map(({ name }) => name).join(", ");
  return statement(v.unknown(), publishedRows(query, columns), parametersWith(query, versions));
}

/** A statement reads the ledger and the facts in one snapshot, and a load changes both at once. So these are the rows of the given versions. */
function publishedRows({ ctes, table }: ProductQuery, columns: string): string {
  return `WITH ${ctes}
SELECT ${columns}
FROM result_rows
WHERE @data_versions = (
  SELECT COALESCE(STRING_AGG(CONCAT(FORMAT_DATE('%F', batch_date), ' ', CAST(version AS STRING)) ORDER BY batch_date), '')
  FROM (${daysWithData(inWindow(table))})
)`;
}

function parametersWith({ parameters }: ProductQuery, versions: readonly DataVersion[]): Parameters {
  const value = versions.map(({ batch_date, version }) => `${batch_date} ${version}`).join();
  return { ...parameters, data_versions: { type: "STRING", value } };
}

/** Returns the manifest's column list. Text files hold times as text, in the format of the responses. */
export function exportColumns(query: ProductQuery, format: Format): Column[] {
  return query.columns.map(({ name, type }) => ({ name, type: format !== "parquet" && type === "TIMESTAMP" ? "STRING" : type }));
}

function dataVersions({ table }: ProductQuery): string {
  return `ARRAY(
    SELECT AS STRUCT FORMAT_DATE('%F', batch_date) AS batch_date, version
    FROM (${daysWithData(inWindow(table))})
    ORDER BY batch_date
  )`;
}

/** A query of the days of a condition that have data, and of the version of each. A deleted day has none. */
function daysWithData(condition: string): string {
  return `
    SELECT batch_date, MAX(ledger.version) AS version
    FROM \`mobility.batches\` AS ledger
    WHERE ${condition}
    GROUP BY batch_date
    HAVING MAX(ledger.version) > COALESCE(MAX(IF(ledger.is_deleted, ledger.version, NULL)), 0)
  `;
}

function inWindow(table: string): string {
  return `country_code = @country_code AND table_name = '${table}' AND batch_date BETWEEN @first_date AND @last_date`;
}

/** The newest day with data, in the window or not. */
function newestDate({ table }: ProductQuery): string {
  return `(
    SELECT FORMAT_DATE('%F', MAX(batch_date))
    FROM (${daysWithData(`country_code = @country_code AND table_name = '${table}'`)})
  )`;
}

/** The requested ids that have a published row, by parameter. Aggregated in the same scan as the counts. */
function publishedIds({ ids }: ProductQuery): string {
  if (ids.length === 0) return "";
  const arrays = ids.map(({ parameter, column }) => `ARRAY_AGG(DISTINCT ${column} IGNORE NULLS) AS ${parameter}`);
  return `\n  STRUCT(${arrays.join(", ")}) AS published_ids,`;
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
