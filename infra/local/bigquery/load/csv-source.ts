import { statSync } from "node:fs";
import { BigQueryError, type Field } from "../model.ts";
import { quoteText } from "../sql/sql-type.ts";

/** The format of a CSV file. */
export interface CsvFormat {
  readonly fieldDelimiter: string;
  /** One character, or empty if nothing is quoted. */
  readonly quote: string;
  readonly nullMarker: string;
  readonly skipLeadingRows: number;
  readonly allowQuotedNewlines: boolean;
}

const DELIMITERS: Readonly<Record<string, string>> = { "\\t": "\t", tab: "\t" };

/**
 * DuckDB takes a buffer of 16 of the longest lines unless it is told a size: with lines of 100 MB, more than the memory that a database in a file has. A
 * file of this size is read in one buffer, whatever its lines.
 */
const ONE_BUFFER_BYTES = 32 << 20;
/** Of larger files: room for a geometry of 8 MiB in any encoding of its line. */
const LINE_BYTES = 16 << 20;

/** Returns the file as a DuckDB table function: text only, one column per field, named `c0`, `c1`, … */
export function csvSource(file: string, columns: number, format: CsvFormat, more = ""): string {
  const delimiter = DELIMITERS[format.fieldDelimiter] ?? format.fieldDelimiter;
  const names = Array.from({ length: columns }, (_, index) => `'c${index}': 'VARCHAR'`).join(", ");
  const quote = quoteText(format.quote);
  return `read_csv(${quoteText(file)}, auto_detect = false, header = false, skip = ${format.skipLeadingRows}, columns = {${names}}, delim = ${quoteText(delimiter)}, quote = ${quote}, escape = ${quote}, nullstr = ${quoteText(format.nullMarker)}, allow_quoted_nulls = false, null_padding = false, strict_mode = true, ${bufferOf(file)}${more})`;
}

function bufferOf(file: string): string {
  const { size } = statSync(file);
  const [line, buffer] = size < ONE_BUFFER_BYTES ? [size + 1, size + 2] : [LINE_BYTES, 2 * LINE_BYTES];
  return `max_line_size = ${line}, buffer_size = ${buffer}`;
}

/**
 * Returns DuckDB SQL of a value that BigQuery would accept for this column, and NULL for any other. Throws `invalid` for a column that CSV
 * cannot hold.
 */
export function csvValue(field: Field, text: string, allowQuotedNewlines: boolean): string {
  if (field.mode === "REPEATED") throw unsupported(`Cannot load CSV data with a repeated field. Field: ${field.name}`);
  switch (field.type) {
    case "RECORD":
      throw unsupported(`Cannot load CSV data with a nested schema. Field: ${field.name}`);
    case "INTEGER":
      // DuckDB rounds '1.5' and accepts '1e3', so a value whose text does not round-trip must match the pattern.
      return `CASE WHEN TRY_CAST(${text} AS BIGINT)::VARCHAR = ${text} OR regexp_full_match(${text}, '\\s*[+-]?\\d+\\s*') THEN TRY_CAST(${text} AS BIGINT) END`;
    case "FLOAT":
      return `CASE WHEN NOT contains(${text}, '_') THEN TRY_CAST(${text} AS DOUBLE) END`;
    case "NUMERIC":
      return `CASE WHEN regexp_full_match(${text}, '\\s*[+-]?(\\d+\\.?\\d{0,9}|\\.\\d{1,9})\\s*') THEN TRY_CAST(${text} AS DECIMAL(38,9)) END`;
    case "BOOLEAN":
      return `CASE WHEN lower(trim(${text})) IN ('true', 't', 'yes', 'y', '1') THEN true WHEN lower(trim(${text})) IN ('false', 'f', 'no', 'n', '0') THEN false END`;
    case "DATE":
      return `CASE WHEN length(${text}) <= 10 AND ${text}[1] BETWEEN '0' AND '9' THEN TRY_CAST(${text} AS DATE) END`;
    case "TIMESTAMP":
      return `CASE WHEN ${text}[1] BETWEEN '0' AND '9' THEN TRY_CAST(${text} AS TIMESTAMPTZ) END`;
    case "DATETIME":
      return `CASE WHEN regexp_full_match(${text}, '\\d{4}-\\d{1,2}-\\d{1,2}([T ]\\d{1,2}:\\d{1,2}(:\\d{1,2}(\\.\\d{1,6})?)?)?') THEN TRY_CAST(${text} AS TIMESTAMP) END`;
    case "TIME":
      return `CASE WHEN ${text}[1] BETWEEN '0' AND '9' THEN TRY_CAST(${text} AS TIME) END`;
    case "BYTES":
      return `CASE WHEN regexp_full_match(${text}, '([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?') THEN from_base64(${text}) END`;
    case "JSON":
      return `CASE WHEN json_valid(${text}) THEN ${text}::JSON END`;
    default:
      return allowQuotedNewlines ? text : `CASE WHEN NOT contains(${text}, chr(10)) THEN ${text} END`;
  }
}

function unsupported(message: string): BigQueryError {
  return new BigQueryError("invalid", `Error while reading data, error message: ${message}`);
}
