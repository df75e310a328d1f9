import { BigQueryError, type ExportOptions, type Statement } from "../../model.ts";
import type { Context } from "../analyze/context.ts";
import type { OptionItem, StatementNode } from "../parse/statement-ast.ts";
import { readOptions, textOption } from "./options.ts";
import { assertNoInterval, selectStatement } from "./select.ts";

const COMPRESSIONS: Readonly<Record<ExportOptions["format"], readonly ExportOptions["compression"][]>> = {
  CSV: ["NONE", "GZIP"],
  JSON: ["NONE", "GZIP"],
  PARQUET: ["NONE", "GZIP", "SNAPPY", "ZSTD"],
};

function invalid(message: string): BigQueryError {
  return new BigQueryError("invalidQuery", message, "query");
}

function formatOf(text: string | undefined): ExportOptions["format"] {
  const upper = text?.toUpperCase();
  if (upper === "CSV" || upper === "PARQUET" || upper === "JSON") return upper;
  if (upper === "NEWLINE_DELIMITED_JSON") return "JSON";
  throw invalid(text === undefined ? "Option 'format' is required for EXPORT DATA" : `Unsupported format for EXPORT DATA: ${text}`);
}

/** Returns the options of EXPORT DATA with BigQuery's defaults. */
function exportOptions(items: readonly OptionItem[]): ExportOptions {
  const options = readOptions(
    items,
    { uri: "STRING", format: "STRING", compression: "STRING", header: "BOOL", overwrite: "BOOL", field_delimiter: "STRING" },
    "EXPORT DATA",
  );
  const uri = textOption(options, "uri");
  if (uri === undefined) throw invalid("Option 'uri' is required for EXPORT DATA");
  if (!/^gs:\/\/[^/*]+\/[^*]*\*[^*]*$/.test(uri)) throw invalid(`Option 'uri' value must be a gs:// URI with a single wildcard: ${uri}`);
  const format = formatOf(textOption(options, "format"));
  const written = textOption(options, "compression")?.toUpperCase() ?? "NONE";
  const compression = COMPRESSIONS[format].find((candidate) => candidate === written);
  if (!compression) throw invalid(`Compression ${written} is not supported for EXPORT DATA in ${format}`);
  if (format !== "CSV" && (options.has("header") || options.has("field_delimiter")))
    throw invalid(`header and field_delimiter apply to CSV exports only`);
  const delimiter = textOption(options, "field_delimiter") ?? ",";
  const fieldDelimiter = delimiter.toLowerCase() === "tab" ? "\t" : delimiter;
  if (fieldDelimiter.length !== 1) throw invalid("field_delimiter must be one character");
  // BigQuery writes a header only on request.
  return { uri, format, compression, header: options.get("header") === true, overwrite: options.get("overwrite") === true, fieldDelimiter };
}

export function exportData(node: Extract<StatementNode, { kind: "export" }>, context: Context): Extract<Statement, { kind: "export" }> {
  const { kind: _, ...select } = selectStatement(node.query, context);
  assertNoInterval(select.schema, "EXPORT DATA");
  return { kind: "export", options: exportOptions(node.options), ...select };
}
