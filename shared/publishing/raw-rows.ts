import type { FactLoad } from "./staged-load.ts";

/** The rows of batches, as they were delivered. */
export interface RawRows {
  /** Returns a condition for the rows of a table of `intake`, under an alias, that are of the batches. It filters `loaded_on`. */
  readonly batches: (alias: string) => string;
  /** The load of the batches' rows of a table, if its transaction publishes them. They are read from its staging table, which has the same. */
  readonly load?: FactLoad | undefined;
}

/** Returns the rows of a table of `intake` that are of the batches: a table or a subquery, with all columns that publishing reads. */
export function rawRows({ batches, load }: RawRows, table: string): string {
  if (load?.table === table) return stagedRows(load);
  return `(
    SELECT *
    FROM \`intake.${table}\` AS raw
    WHERE ${batches("raw")}
  )`;
}

/** A file need not have every nullable column. */
function stagedRows({ staging, columns, publication }: FactLoad): string {
  const names = columns.map(({ name }) => name);
  const absent = publication.values.filter(({ column, rule }) => rule !== "distance" && !names.includes(column));
  if (absent.length === 0) return `\`${staging}\``;
  const nulls = absent.map(({ column, rule }) => `CAST(NULL AS ${rule === "mean" ? "FLOAT64" : "INT64"}) AS ${column}`);
  return `(SELECT ${[...names, ...nulls].join(", ")} FROM \`${staging}\`)`;
}
