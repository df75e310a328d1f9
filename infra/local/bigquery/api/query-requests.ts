import * as v from "valibot";

/** A 64-bit integer: the API accepts strings and numbers. */
export const Int64Schema = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(Number),
  v.number("must be an integer"),
  v.integer("must be an integer"),
);

export const LabelsSchema = v.record(v.string(), v.string());

export const TableReferenceSchema = v.object({ projectId: v.optional(v.string()), datasetId: v.string(), tableId: v.string() });

const DatasetReferenceSchema = v.object({ projectId: v.optional(v.string()), datasetId: v.string() });

const Standard = v.optional(v.literal(false, "only GoogleSQL is supported"), false);

/** Options that the Node client sends by mistake. The real service ignores them too. */
const ClientLeftovers = {
  autoPaginate: v.optional(v.unknown()),
  location: v.optional(v.unknown()),
  maxResults: v.optional(v.unknown()),
  parseJSON: v.optional(v.unknown()),
  skipParsing: v.optional(v.unknown()),
  timeoutMs: v.optional(v.unknown()),
  types: v.optional(v.unknown()),
  wrapIntegers: v.optional(v.unknown()),
};

const SharedQuery = {
  query: v.pipe(v.string(), v.nonEmpty("Required parameter is missing: query")),
  useLegacySql: Standard,
  useQueryCache: v.optional(v.boolean()),
  defaultDataset: v.optional(DatasetReferenceSchema),
  maximumBytesBilled: v.optional(Int64Schema),
  parameterMode: v.optional(v.pipe(v.string(), v.regex(/^(?:named|positional)$/i, "must be NAMED or POSITIONAL"))),
  /** Parsed by the translator, which knows the types. */
  queryParameters: v.optional(v.array(v.unknown()), []),
};

/**
 * `configuration.query` of `jobs.insert`. Unknown fields are rejected, including options that would change the meaning and are not
 * supported.
 */
export const QueryConfigurationSchema = v.strictObject({
  ...SharedQuery,
  ...ClientLeftovers,
  priority: v.optional(v.picklist(["INTERACTIVE", "BATCH"])),
  createDisposition: v.optional(v.literal("CREATE_IF_NEEDED")),
  allowLargeResults: v.optional(v.boolean()),
  flattenResults: v.optional(v.boolean()),
});

const FormatOptionsSchema = v.object({
  useInt64Timestamp: v.optional(v.boolean()),
  timestampOutputFormat: v.optional(v.picklist(["TIMESTAMP_OUTPUT_FORMAT_UNSPECIFIED", "FLOAT64", "INT64", "ISO8601_STRING"])),
});

/** The body of `jobs.query`. */
export const QueryRequestSchema = v.strictObject({
  ...SharedQuery,
  kind: v.optional(v.string()),
  dryRun: v.optional(v.boolean(), false),
  formatOptions: v.optional(FormatOptionsSchema, {}),
  jobCreationMode: v.optional(v.picklist(["JOB_CREATION_MODE_UNSPECIFIED", "JOB_CREATION_REQUIRED", "JOB_CREATION_OPTIONAL"])),
  jobTimeoutMs: v.optional(Int64Schema),
  labels: v.optional(LabelsSchema, {}),
  location: v.optional(v.string()),
  maxResults: v.optional(v.nullable(Int64Schema)),
  preserveNulls: v.optional(v.boolean()),
  requestId: v.optional(v.pipe(v.string(), v.maxLength(36))),
  timeoutMs: v.optional(v.nullable(Int64Schema)),
});

export type QueryRequest = v.InferOutput<typeof QueryRequestSchema>;
export type QueryConfiguration = v.InferOutput<typeof QueryConfigurationSchema>;
