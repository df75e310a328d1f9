import type { BigQuery, TableMetadata } from "@google-cloud/bigquery";
import * as v from "valibot";
import { type Instances, textArgument } from "../instances.ts";

const Partitioning = v.object({
  type: v.picklist(["HOUR", "DAY", "MONTH", "YEAR"]),
  field: v.string(),
  expiration_ms: v.nullable(v.number()),
});
const Table = v.object({
  table_id: v.string(),
  description: v.optional(v.string()),
  schema: v.pipe(v.string(), v.parseJson()),
  require_partition_filter: v.boolean(),
  clustering: v.nullable(v.array(v.string())),
  time_partitioning: v.optional(v.array(Partitioning), []),
});
const Schema = v.array(v.record(v.string(), v.unknown()));

/** A table of a plan: its dataset, its name, and its body in the format of BigQuery's API. */
export interface PlannedTable {
  readonly dataset: string;
  readonly table: string;
  readonly body: TableMetadata;
}

/** Returns the tables of a plan as the provider sends them to BigQuery. */
export function plannedTables(instances: Instances): PlannedTable[] {
  return instances.of("google_bigquery_table").map(({ arguments: fields }) => {
    const { table_id, description, schema, require_partition_filter, clustering, time_partitioning } = v.parse(Table, fields);
    const [partitioning] = time_partitioning;
    const body: TableMetadata = {
      schema: { fields: v.parse(Schema, schema) },
      requirePartitionFilter: require_partition_filter,
      ...(description === undefined ? {} : { description }),
      ...(clustering ? { clustering: { fields: clustering } } : {}),
      ...(partitioning ? { timePartitioning: partitioningOf(partitioning) } : {}),
    };
    return { dataset: textArgument(instances.named(fields.dataset_id), "dataset_id"), table: table_id, body };
  });
}

function partitioningOf({ type, field, expiration_ms }: v.InferOutput<typeof Partitioning>) {
  return { type, field, ...(expiration_ms === null ? {} : { expirationMs: String(expiration_ms) }) };
}

/** Creates a plan's datasets and tables through the real client. */
export async function makeWarehouse(instances: Instances, client: BigQuery): Promise<void> {
  for (const dataset of instances.of("google_bigquery_dataset"))
    await client.createDataset(textArgument(dataset, "dataset_id"), { location: textArgument(dataset, "location") });
  for (const { dataset, table, body } of plannedTables(instances)) await client.dataset(dataset).createTable(table, body);
}
