import * as v from "valibot";
import type { Field, FieldType } from "../model.ts";
import { fieldNameFault } from "../wire/field-names.ts";
import { Int64Schema, LabelSchema, LabelsSchema, TableReferenceSchema } from "./query-requests.ts";

const TYPES: Readonly<Record<string, FieldType>> = {
  STRING: "STRING",
  BYTES: "BYTES",
  INTEGER: "INTEGER",
  INT64: "INTEGER",
  FLOAT: "FLOAT",
  FLOAT64: "FLOAT",
  NUMERIC: "NUMERIC",
  BOOLEAN: "BOOLEAN",
  BOOL: "BOOLEAN",
  TIMESTAMP: "TIMESTAMP",
  DATE: "DATE",
  TIME: "TIME",
  DATETIME: "DATETIME",
  GEOGRAPHY: "GEOGRAPHY",
  JSON: "JSON",
  RECORD: "RECORD",
  STRUCT: "RECORD",
};

const TypeSchema = v.pipe(
  v.string(),
  v.transform((name) => TYPES[name.toUpperCase()]),
  v.custom<FieldType>((type) => type !== undefined, "is not a supported field type"),
);

const ModeSchema = v.pipe(v.string(), v.toUpperCase(), v.picklist(["NULLABLE", "REQUIRED", "REPEATED"]));

/** A column in the shape of the REST API. */
const FieldSchema: v.GenericSchema<unknown, Field> = v.strictObject({
  name: v.pipe(
    v.string(),
    v.check(
      (name) => fieldNameFault(name) === undefined,
      ({ input }) => fieldNameFault(input) ?? "",
    ),
  ),
  type: TypeSchema,
  mode: v.optional(ModeSchema, "NULLABLE"),
  description: v.exactOptional(v.string()),
  fields: v.exactOptional(v.array(v.lazy(() => FieldSchema))),
});

export const TableSchemaSchema = v.strictObject({ fields: v.array(FieldSchema) });

export const TimePartitioningSchema = v.strictObject({
  type: v.picklist(["HOUR", "DAY", "MONTH", "YEAR"]),
  field: v.string("partitioning by the time of loading is not supported: name a field"),
  expirationMs: v.optional(v.nullable(Int64Schema)),
  requirePartitionFilter: v.optional(v.boolean()),
});

export const ClusteringSchema = v.strictObject({ fields: v.array(v.string()) });

/** The body of `tables.insert`. */
export const TableRequestSchema = v.strictObject({
  kind: v.optional(v.string()),
  tableReference: TableReferenceSchema,
  schema: v.optional(TableSchemaSchema),
  timePartitioning: v.optional(TimePartitioningSchema),
  requirePartitionFilter: v.optional(v.boolean()),
  clustering: v.optional(ClusteringSchema),
  description: v.optional(v.string()),
  labels: v.optional(LabelsSchema, {}),
  expirationTime: v.optional(Int64Schema),
  location: v.optional(v.string()),
  view: v.optional(v.strictObject({ query: v.string(), useLegacySql: v.literal(false, "only GoogleSQL views are supported") })),
});

export type TableRequest = v.InferOutput<typeof TableRequestSchema>;

/** The body of `tables.patch`: of what a table has, only its labels change. A label that is null is removed. */
export const TablePatchSchema = v.strictObject({ labels: v.record(v.string(), v.nullable(LabelSchema)) });

/** The body of `datasets.insert`. */
export const DatasetRequestSchema = v.strictObject({
  kind: v.optional(v.string()),
  datasetReference: v.object({ projectId: v.optional(v.string()), datasetId: v.string() }),
  location: v.optional(v.string()),
  description: v.optional(v.string()),
  labels: v.optional(LabelsSchema, {}),
  defaultTableExpirationMs: v.optional(Int64Schema),
});

/** The body of `datasets.patch`: null removes a field. */
export const DatasetPatchSchema = v.strictObject({
  description: v.optional(v.nullable(v.string())),
  labels: v.optional(v.record(v.string(), v.nullable(LabelSchema))),
  defaultTableExpirationMs: v.optional(v.nullable(Int64Schema)),
});

/** The body of `tabledata.insertAll`. */
export const InsertAllSchema = v.strictObject({
  kind: v.optional(v.string()),
  skipInvalidRows: v.optional(v.boolean(), false),
  ignoreUnknownValues: v.optional(v.boolean(), false),
  rows: v.array(v.object({ insertId: v.optional(v.string()), json: v.record(v.string(), v.unknown()) })),
});

export type InsertAllRequest = v.InferOutput<typeof InsertAllSchema>;
