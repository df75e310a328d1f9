import type { BigQuery } from "@google-cloud/bigquery";
import { LEDGER } from "../../migrations/apply-migrations.ts";
import type { DefinedTables, Released } from "../../migrations/released.ts";

const KEPT = "as_released";

/**
 * Makes the tables of a warehouse those of the last release, with the rows that are there: without the tables and columns that were added since. A
 * table is copied, since the local BigQuery drops no columns.
 */
export async function takeBackTables(bigquery: BigQuery, before: Released, now: DefinedTables): Promise<void> {
  for (const [name, { schema }] of Object.entries(now)) {
    const released = before.tables[name];
    if (!released) await bigquery.query(`DROP TABLE ${name}`);
    else if (schema.length > released.schema.length) await withoutAdded(bigquery, name, released);
  }
  await bigquery.query(`DELETE FROM ${LEDGER} WHERE number > ${Object.keys(before.migrations).length}`);
}

async function withoutAdded(bigquery: BigQuery, name: string, { schema, partition, clustering }: DefinedTables[string]): Promise<void> {
  const [dataset = "", table = ""] = name.split(".");
  const columns = schema.map((column) => column.name).join(", ");
  const make = (id: string) =>
    bigquery.dataset(dataset).createTable(id, {
      schema: { fields: schema },
      ...(partition === null ? {} : { timePartitioning: partition }),
      ...(clustering.length === 0 ? {} : { clustering: { fields: clustering } }),
    });
  const copy = async (from: string, to: string): Promise<void> => {
    // A table may demand a filter by its partition, with a literal.
    const type = schema.find((column) => column.name === partition?.field)?.type;
    const filter = partition === null ? "" : ` WHERE ${partition.field} >= ${type} '1970-01-01'`;
    await bigquery.query(`INSERT INTO ${dataset}.${to} (${columns}) SELECT ${columns} FROM ${dataset}.${from}${filter}`);
  };
  await make(KEPT);
  await copy(table, KEPT);
  await bigquery.query(`DROP TABLE ${name}`);
  await make(table);
  await copy(KEPT, table);
  await bigquery.query(`DROP TABLE ${dataset}.${KEPT}`);
}
