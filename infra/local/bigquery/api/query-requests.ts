import * as v from "valibot";
import { Unsupported, unsupportedBut } from "./unsupported.ts";

/** A 64-bit integer: the API accepts strings and numbers. */
export const Int64Schema = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(Number),
  v.number("must be an integer"),
  v.integer("must be an integer"),
);

/** A label's value. Numbers and booleans become their texts, as Google's APIs read every member that is a text. */
export const LabelSchema = v.union([v.string(), v.pipe(v.union([v.number(), v.boolean()]), v.transform(String))]);

export const LabelsSchema = v.record(v.string(), LabelSchema);

/**
 * The reservation of a job, by its full name, or `none`: on demand. Source:
 * https://cloud.google.com/bigquery/docs/reference/rest/v2/Job#JobConfiguration.FIELDS.reservation
 */
export const ReservationSchema = v.optional(
  v.pipe(
    v.string(),
    v.regex(
      /^(?:none|projects\/[a-z][a-z0-9-]{4,28}[a-z0-9]\/locations\/[A-Za-z0-9-]+\/reservations\/[a-z](?:[a-z0-9-]{0,62}[a-z0-9])?)$/,
      "must be projects/{project}/locations/{location}/reservations/{reservation}, or none",
    ),
  ),
);

export const TableReferenceSchema = v.object({ projectId: v.optional(v.string()), datasetId: v.string(), tableId: v.string() });

const DatasetReferenceSchema = v.object({ projectId: v.optional(v.string()), datasetId: v.string() });

const Standard = v.optional(v.literal(false, "only GoogleSQL is supported"), false);

const SharedQuery = {
  query: v.pipe(v.string(), v.nonEmpty("Required parameter is missing: query")),
  useLegacySql: Standard,
  useQueryCache: v.optional(v.boolean()),
  defaultDataset: v.optional(DatasetReferenceSchema),
  maximumBytesBilled: v.optional(Int64Schema),
  parameterMode: v.optional(v.pipe(v.string(), v.regex(/^(?:named|positional)$/i, "must be NAMED or POSITIONAL"))),
  /** Parsed by the translator, which knows the types. */
  queryParameters: v.optional(v.array(v.unknown()), []),
  connectionProperties: Unsupported,
  continuous: Unsupported,
  createSession: Unsupported,
  destinationEncryptionConfiguration: Unsupported,
};

/**
 * `configuration.query` of `jobs.insert`. Members that only concern a destination table have no effect without one, and those of legacy SQL
 * none in GoogleSQL, so both are ignored.
 */
export const QueryConfigurationSchema = v.object({
  ...SharedQuery,
  priority: v.optional(v.picklist(["INTERACTIVE", "BATCH"])),
  destinationTable: Unsupported,
  schemaUpdateOptions: Unsupported,
  scriptOptions: Unsupported,
  tableDefinitions: Unsupported,
  userDefinedFunctionResources: Unsupported,
});

const FormatOptionsSchema = v.object({
  useInt64Timestamp: v.optional(v.boolean()),
  timestampOutputFormat: v.optional(v.picklist(["TIMESTAMP_OUTPUT_FORMAT_UNSPECIFIED", "FLOAT64", "INT64", "ISO8601_STRING"])),
});

/** The body of `jobs.query`. */
export const QueryRequestSchema = v.object({
  ...SharedQuery,
  dryRun: v.optional(v.boolean(), false),
  formatOptions: v.optional(FormatOptionsSchema, {}),
  jobCreationMode: v.optional(v.picklist(["JOB_CREATION_MODE_UNSPECIFIED", "JOB_CREATION_REQUIRED", "JOB_CREATION_OPTIONAL"])),
  jobTimeoutMs: v.optional(Int64Schema),
  labels: v.optional(LabelsSchema, {}),
  location: v.optional(v.string()),
  maxResults: v.optional(Int64Schema),
  /** The one that is JSON. The client for Java names it in each request. */
  queryResultsFormat: unsupportedBut("STRUCT_ENCODING"),
  requestId: v.optional(v.pipe(v.string(), v.maxLength(36))),
  reservation: ReservationSchema,
  timeoutMs: v.optional(Int64Schema),
});

export type QueryRequest = v.InferOutput<typeof QueryRequestSchema>;
export type QueryConfiguration = v.InferOutput<typeof QueryConfigurationSchema>;
