import { BigQueryError, type Field } from "../model.ts";

/**
 * What a column's name may have: letters, digits and marks of any language, and what "flexible column names" allow besides. Source:
 * https://cloud.google.com/bigquery/docs/schemas#flexible-column-names
 */
const ALLOWED = /^[\p{L}\p{N}\p{Pc}\p{Pd}\p{M}&%=+:'<>#|\s]{1,300}$/u;
const RESERVED = /^(?:_PARTITION|_TABLE_|_FILE_|_ROW_TIMESTAMP|__ROOT__|_COLIDENTIFIER)/i;

/** Returns what BigQuery says of a name that no column of a table or a result may have. Undefined for a valid one. */
export function fieldNameFault(name: string): string | undefined {
  if (!ALLOWED.test(name))
    return `Invalid field name "${name}". Fields must contain the allowed characters, and be at most 300 characters long. For allowed characters, please refer to https://cloud.google.com/bigquery/docs/schemas#column_names`;
  if (RESERVED.test(name))
    return `Invalid field name "${name}". Field names are not allowed to start with the (case-insensitive) prefixes _PARTITION, _TABLE_, _FILE_, _ROW_TIMESTAMP, __ROOT__ and _COLIDENTIFIER`;
  return undefined;
}

/** Throws `invalidQuery` if a column of a table or a result, or a field inside one, has an invalid name. */
export function assertFieldNames(fields: readonly Field[]): void {
  for (const { name, fields: inner = [] } of fields) {
    const fault = fieldNameFault(name);
    if (fault !== undefined) throw new BigQueryError("invalidQuery", fault, "query");
    assertFieldNames(inner);
  }
}
