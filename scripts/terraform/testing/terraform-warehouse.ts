import { readFileSync } from "node:fs";
import type { BigQuery, TableMetadata } from "@google-cloud/bigquery";
import * as v from "valibot";
import { LOCATION } from "../../../infra/testing/engines/warehouse-under-test.ts";

const Partition = v.object({
  type: v.picklist(["HOUR", "DAY", "MONTH", "YEAR"]),
  field: v.string(),
  expiration_ms: v.nullable(v.number()),
});
const Table = v.object({
  dataset: v.string(),
  table: v.string(),
  description: v.optional(v.string()),
  schema: v.array(v.record(v.string(), v.unknown())),
  require_partition_filter: v.boolean(),
  clustering: v.array(v.string()),
  partition: v.nullable(Partition),
});
const Definitions = v.object({
  datasets: v.record(v.string(), v.object({ location: v.string() })),
  tables: v.record(v.string(), Table),
});
const Views = v.record(v.string(), v.object({ location: v.string(), table: Table }));

/** A table of `infra/generated/tables.json`: its dataset, its name, and its body in the format of BigQuery's API. */
interface DefinedTable {
  readonly dataset: string;
  readonly table: string;
  readonly body: TableMetadata;
}

const definitions = v.parse(Definitions, generated("tables.json"));

function generated(file: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../infra/generated/${file}`, import.meta.url), "utf8"));
}

/** The tables that Terraform reads, as modules/warehouse hands them to BigQuery. */
export const TABLES: readonly DefinedTable[] = Object.values(definitions.tables).map(({ dataset, table, ...definition }) => ({
  dataset,
  table,
  body: bodyOf(definition),
}));

/** The tables of each customer, with `{uid}` in their names, as terraform/customers hands them to BigQuery. */
export const CUSTOMER_TABLES = Object.values(v.parse(Views, generated("customer-views.json"))).map(
  ({ location, table: { dataset, table, ...definition } }) => ({
    dataset,
    table,
    location: location.toLowerCase() === "eu" ? "EU" : LOCATION,
    body: bodyOf(definition),
  }),
);

function bodyOf({
  description,
  schema,
  require_partition_filter,
  clustering,
  partition,
}: Omit<v.InferOutput<typeof Table>, "dataset" | "table">): TableMetadata {
  return {
    schema: { fields: schema },
    requirePartitionFilter: require_partition_filter,
    ...(description === undefined ? {} : { description }),
    ...(clustering.length > 0 ? { clustering: { fields: clustering } } : {}),
    ...(partition ? { timePartitioning: partitioningOf(partition) } : {}),
  };
}

function partitioningOf({ type, field, expiration_ms }: v.InferOutput<typeof Partition>) {
  return { type, field, ...(expiration_ms === null ? {} : { expirationMs: String(expiration_ms) }) };
}

/** Creates the datasets and tables through the real client. */
export async function makeWarehouse(client: BigQuery): Promise<void> {
  for (const [dataset, { location }] of Object.entries(definitions.datasets))
    await client.createDataset(dataset, { location: location.toLowerCase() === "eu" ? "EU" : LOCATION });
  for (const { dataset, table, body } of TABLES) await client.dataset(dataset).createTable(table, body);
}
