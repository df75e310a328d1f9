import { BigQueryError, type ExportOptions, type Field } from "../model.ts";
import { quoteName, quoteText } from "../sql/sql-type.ts";

/** How DuckDB writes an export: the columns to select from the statement and the options of its COPY. */
export interface CopyPlan {
  readonly columns: string;
  readonly options: string;
  /** The first line of each file. */
  readonly header: string;
}

/**
 * Returns the plan of an export. Throws `invalidQuery` for what BigQuery cannot write: nested columns in CSV, or a compression that the
 * format does not support.
 */
export function copyPlan(fields: readonly Field[], options: ExportOptions): CopyPlan {
  const { format, compression } = options;
  const allowed: readonly string[] = format === "PARQUET" ? ["NONE", "GZIP", "SNAPPY", "ZSTD"] : ["NONE", "GZIP"];
  if (!allowed.includes(compression)) throw new BigQueryError("invalidQuery", `Compression ${compression} is not supported for ${format}`);
  if (format === "PARQUET") return parquetPlan(fields, compression);
  return format === "JSON" ? jsonPlan(fields) : csvPlan(fields, options);
}

function parquetPlan(fields: readonly Field[], compression: ExportOptions["compression"]): CopyPlan {
  const columns = fields.map((field) => {
    const name = quoteName(field.name);
    if (field.mode === "REPEATED") return name;
    return field.type === "INTEGER" ? `${name}::BIGINT AS ${name}` : name;
  });
  const codec = compression === "NONE" ? "uncompressed" : compression.toLowerCase();
  return { columns: columns.join(", "), options: `FORMAT parquet, COMPRESSION ${codec}, USE_TMP_FILE false`, header: "" };
}

function csvPlan(fields: readonly Field[], options: ExportOptions): CopyPlan {
  const nested = fields.find((field) => field.mode === "REPEATED" || field.type === "RECORD");
  if (nested) throw new BigQueryError("invalidQuery", `Operation cannot be performed on a nested schema. Field: ${nested.name}`);
  const columns = fields.map((field) => `${plainText(field, quoteName(field.name))} AS ${quoteName(field.name)}`);
  const delimiter = quoteText(options.fieldDelimiter);
  return {
    columns: columns.join(", "),
    options: `FORMAT csv, HEADER ${options.header}, DELIMITER ${delimiter}, QUOTE '"', ESCAPE '"', USE_TMP_FILE false`,
    header: options.header ? `${fields.map((field) => field.name).join(options.fieldDelimiter)}\n` : "",
  };
}

/** One column that holds the whole line. BigQuery's JSON writes integers as strings and omits nulls; DuckDB's own does not. */
function jsonPlan(fields: readonly Field[]): CopyPlan {
  return {
    columns: jsonObject(fields, (name) => quoteName(name)),
    options: "FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\x01', USE_TMP_FILE false",
    header: "",
  };
}

function jsonObject(fields: readonly Field[], column: (name: string) => string, depth = 0): string {
  const members = fields.map((field) => `${quoteText(`${JSON.stringify(field.name)}:`)} || ${jsonValue(field, column(field.name), depth)}`);
  return `('{' || concat_ws(',', ${members.join(", ")}) || '}')`;
}

function jsonValue(field: Field, value: string, depth: number): string {
  if (field.mode === "REPEATED") {
    const item = `item${depth}`;
    const inner = jsonValue({ ...field, mode: "NULLABLE" }, item, depth + 1);
    return `('[' || coalesce(array_to_string(list_transform(${value}, lambda ${item}: ${inner}), ','), '') || ']')`;
  }
  switch (field.type) {
    case "RECORD":
      return `CASE WHEN ${value} IS NOT NULL THEN ${jsonObject(field.fields ?? [], (name) => `${value}.${quoteName(name)}`, depth)} END`;
    case "STRING":
    case "GEOGRAPHY":
      return `to_json(${value})::VARCHAR`;
    case "BOOLEAN":
    case "JSON":
      return `${value}::VARCHAR`;
    case "FLOAT":
      return `CASE WHEN isfinite(${value}) THEN ${value}::VARCHAR ELSE '"' || ${plainText(field, value)} || '"' END`;
    default:
      return `('"' || ${plainText(field, value)} || '"')`;
  }
}

/** Returns SQL that formats a scalar as BigQuery writes it into a file. */
function plainText(field: Field, value: string): string {
  switch (field.type) {
    case "TIMESTAMP":
      return `rtrim(rtrim(strftime(${value} AT TIME ZONE 'UTC', '%Y-%m-%d %H:%M:%S.%f'), '0'), '.') || ' UTC'`;
    case "DATETIME":
      return `rtrim(rtrim(strftime(${value}, '%Y-%m-%dT%H:%M:%S.%f'), '0'), '.')`;
    case "FLOAT":
      return `CASE WHEN isfinite(${value}) THEN ${value}::VARCHAR WHEN isnan(${value}) THEN 'NaN' WHEN ${value} > 0 THEN 'Infinity' WHEN ${value} < 0 THEN '-Infinity' END`;
    case "NUMERIC":
      return `rtrim(rtrim(${value}::VARCHAR, '0'), '.')`;
    case "BYTES":
      return `to_base64(${value})`;
    case "STRING":
    case "INTEGER":
      return value;
    default:
      return `${value}::VARCHAR`;
  }
}
