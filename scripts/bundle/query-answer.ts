type Value = string | number | null | readonly Row[];
/** A row of a query: strings, whole numbers, nulls, and arrays of such rows. */
export interface Row {
  readonly [column: string]: Value;
}

interface Field {
  readonly name: string;
  readonly type: "STRING" | "INTEGER" | "RECORD";
  readonly mode: "NULLABLE" | "REPEATED";
  readonly fields?: readonly Field[];
}

/** Returns the members of BigQuery's answer to a query that has one row. Source: https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/query */
export function queryAnswer(row: Row) {
  return { schema: { fields: fieldsOf(row) }, rows: [cellsOf(row)], totalRows: "1" };
}

function fieldsOf(row: Row): Field[] {
  return Object.entries(row).map(([name, value]) => {
    if (typeof value === "number") return { name, type: "INTEGER", mode: "NULLABLE" };
    if (typeof value === "string" || value === null) return { name, type: "STRING", mode: "NULLABLE" };
    return { name, type: "RECORD", mode: "REPEATED", fields: fieldsOf(value[0] ?? {}) };
  });
}

function cellsOf(row: Row): { readonly f: readonly { readonly v: unknown }[] } {
  return { f: Object.values(row).map((value) => ({ v: cellOf(value) })) };
}

function cellOf(value: Value): unknown {
  if (value === null || typeof value === "string") return value;
  return typeof value === "number" ? String(value) : value.map((one) => ({ v: cellsOf(one) }));
}
