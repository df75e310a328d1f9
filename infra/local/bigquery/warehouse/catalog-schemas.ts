import * as v from "valibot";
import type { Field } from "../model.ts";

/** A dataset as stored in the database file. */
export const DatasetEntrySchema = v.object({
  id: v.string(),
  location: v.string(),
  description: v.optional(v.string()),
  labels: v.record(v.string(), v.string()),
  creationTime: v.number(),
  lastModifiedTime: v.number(),
  defaultTableExpirationMs: v.optional(v.number()),
});

export const FieldSchema: v.GenericSchema<unknown, Field> = v.object({
  name: v.string(),
  type: v.picklist([
    "STRING",
    "BYTES",
    "INTEGER",
    "FLOAT",
    "NUMERIC",
    "BOOLEAN",
    "TIMESTAMP",
    "DATE",
    "TIME",
    "DATETIME",
    "INTERVAL",
    "GEOGRAPHY",
    "JSON",
    "RECORD",
  ]),
  mode: v.picklist(["NULLABLE", "REQUIRED", "REPEATED"]),
  description: v.exactOptional(v.string()),
  fields: v.exactOptional(v.array(v.lazy(() => FieldSchema))),
});

export const TableRefSchema = v.object({ project: v.string(), dataset: v.string(), table: v.string() });

/** A table or a view as stored in the database file. */
export const TableEntrySchema = v.object({
  info: v.object({
    ref: TableRefSchema,
    fields: v.array(FieldSchema),
    partitioning: v.exactOptional(
      v.object({ column: v.string(), unit: v.picklist(["HOUR", "DAY", "MONTH", "YEAR"]), expirationMs: v.exactOptional(v.number()) }),
    ),
    requirePartitionFilter: v.boolean(),
    clustering: v.array(v.string()),
    description: v.exactOptional(v.string()),
    view: v.exactOptional(v.string()),
  }),
  creationTime: v.number(),
  lastModifiedTime: v.number(),
  expirationTime: v.optional(v.number()),
  labels: v.record(v.string(), v.string()),
});
