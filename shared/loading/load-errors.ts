import type { LoadError } from "../google/await-load.ts";
import type { BatchFault } from "./batch-fault.ts";

/** What is right of a file for which BigQuery names no column and its type. */
const READABLE = {
  CSV: "lines with as many columns as the header, in UTF-8, with quotation marks in pairs",
  PARQUET: "a whole Parquet file, with the table's columns in their types, and values in those that are required",
} as const;

/** Returns the faults that BigQuery reports of a load: of CSV its message names the line, the column, its type and the value. */
export function faultsOfLoad(errors: readonly LoadError[], format: keyof typeof READABLE): BatchFault[] {
  const [first, ...details] = errors;
  return (details.length > 0 ? details : first ? [first] : []).map((error) => faultOf(error, READABLE[format]));
}

function faultOf({ message, location }: LoadError, readable: string): BatchFault {
  const uri = /File: (gs:\/\/\S+)/.exec(message)?.[1] ?? (location?.startsWith("gs://") ? location : undefined);
  const line = /line_number: (\d+)/.exec(message)?.[1];
  const column = /column_name: "([^"]*)" column_type: (\w+)/.exec(message);
  const value = /value: "(.*?)"(?: File: |$)/.exec(message)?.[1];
  const what = message
    .replace(/^Error while reading data, error message: /, "")
    .replace(/; line_number.*$/, "")
    .replace(/ File: gs:.*$/, "");
  return {
    file: uri?.slice(uri.lastIndexOf("/") + 1),
    line: line === undefined ? undefined : Number(line),
    says: column ? `column ${column[1]}: ${value ? `${JSON.stringify(value)}: ` : ""}${what}` : what,
    right: column ? `a value of the type ${column[2]}` : readable,
  };
}
