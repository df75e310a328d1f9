import type { LoadConfiguration } from "../api/job-requests.ts";
import { BigQueryError, type Field, type TableInfo, type TableRef } from "../model.ts";
import { tableName } from "../warehouse/catalog.ts";
import { partitioningOf } from "../warehouse/table-resource.ts";
import { SQL_NAMES } from "../wire/column-types.ts";

/** The target of a load: the table's future definition, and the file's columns in order. */
export interface LoadTarget {
  readonly table: TableInfo;
  readonly fields: readonly Field[];
}

/** Determines the table's schema from the job's schema and the existing one. Throws `invalid` if there is neither or the two conflict. */
export function loadTarget(ref: TableRef, existing: TableInfo | undefined, configuration: LoadConfiguration): LoadTarget {
  const given = configuration.schema?.fields;
  if (!given && !existing)
    throw new BigQueryError(
      "invalid",
      configuration.autodetect ? "Schema auto-detection is not supported here: provide a schema." : "No schema specified on job or table.",
    );
  if (existing && configuration.writeDisposition !== "WRITE_TRUNCATE") {
    if (given) assertSchemaFits(existing, given);
    return { table: existing, fields: given ? withTableModes(existing, given) : existing.fields };
  }
  const fields = given ?? existing?.fields ?? [];
  const { timePartitioning, clustering } = configuration;
  const partitioning = timePartitioning ? partitioningOf(timePartitioning) : existing?.partitioning;
  const table: TableInfo = {
    ref,
    fields,
    ...(partitioning ? { partitioning } : {}),
    requirePartitionFilter: timePartitioning?.requirePartitionFilter ?? existing?.requirePartitionFilter ?? false,
    clustering: clustering?.fields ?? existing?.clustering ?? [],
    ...(existing?.description === undefined ? {} : { description: existing.description }),
  };
  return { table, fields };
}

function assertSchemaFits(table: TableInfo, given: readonly Field[]): void {
  const refuse = (detail: string) =>
    new BigQueryError("invalid", `Provided Schema does not match Table ${tableName(table.ref)}. ${detail}`);
  for (const field of given) {
    const known = table.fields.find(({ name }) => name.toLowerCase() === field.name.toLowerCase());
    if (!known) throw refuse(`Cannot add fields (field: ${field.name})`);
    if (known.type !== field.type)
      throw refuse(`Field ${field.name} has changed type from ${SQL_NAMES[known.type]} to ${SQL_NAMES[field.type]}`);
    if ((known.mode === "REPEATED") !== (field.mode === "REPEATED"))
      throw refuse(`Field ${field.name} has changed mode from ${known.mode} to ${field.mode}`);
  }
  const missing = table.fields.find(
    (field) => field.mode === "REQUIRED" && !given.some(({ name }) => name.toLowerCase() === field.name.toLowerCase()),
  );
  if (missing) throw refuse(`Field ${missing.name} is missing in new schema`);
}

/** Returns the file's columns in the file's order, with the table's modes: a REQUIRED column stays REQUIRED. */
function withTableModes(table: TableInfo, given: readonly Field[]): Field[] {
  return given.flatMap((field) => table.fields.filter(({ name }) => name.toLowerCase() === field.name.toLowerCase()));
}
