import * as v from "valibot";
import { Int64Schema, LabelsSchema, QueryConfigurationSchema, ReservationSchema, TableReferenceSchema } from "./query-requests.ts";
import { ClusteringSchema, TableSchemaSchema, TimePartitioningSchema } from "./table-requests.ts";
import { Unsupported } from "./unsupported.ts";

/** `configuration.load` of `jobs.insert`. */
export const LoadConfigurationSchema = v.object({
  destinationTable: TableReferenceSchema,
  /** Objects of Cloud Storage, in place of an upload. A wildcard is not supported: the service names every object. */
  sourceUris: v.optional(v.array(v.pipe(v.string(), v.regex(/^gs:\/\/[^/*]+\/[^*]+$/, "must be gs://bucket/object without a wildcard")))),
  sourceFormat: v.optional(v.picklist(["CSV", "NEWLINE_DELIMITED_JSON", "PARQUET"]), "CSV"),
  schema: v.optional(TableSchemaSchema),
  createDisposition: v.optional(v.picklist(["CREATE_IF_NEEDED", "CREATE_NEVER"]), "CREATE_IF_NEEDED"),
  writeDisposition: v.optional(v.picklist(["WRITE_APPEND", "WRITE_TRUNCATE", "WRITE_EMPTY"]), "WRITE_APPEND"),
  fieldDelimiter: v.optional(v.string(), ","),
  skipLeadingRows: v.optional(Int64Schema, 0),
  quote: v.optional(v.pipe(v.string(), v.maxLength(1)), '"'),
  nullMarker: v.optional(v.string(), ""),
  allowQuotedNewlines: v.optional(v.boolean(), false),
  ignoreUnknownValues: v.optional(v.boolean(), false),
  autodetect: v.optional(v.boolean(), false),
  encoding: v.optional(v.literal("UTF-8")),
  maxBadRecords: v.optional(v.literal(0)),
  timePartitioning: v.optional(TimePartitioningSchema),
  clustering: v.optional(ClusteringSchema),
  allowJaggedRows: Unsupported,
  columnNameCharacterMap: Unsupported,
  connectionProperties: Unsupported,
  copyFilesOnly: Unsupported,
  createSession: Unsupported,
  dateFormat: Unsupported,
  datetimeFormat: Unsupported,
  decimalTargetTypes: Unsupported,
  destinationEncryptionConfiguration: Unsupported,
  destinationTableProperties: Unsupported,
  fileSetSpecType: Unsupported,
  hivePartitioningOptions: Unsupported,
  jsonExtension: Unsupported,
  nullMarkers: Unsupported,
  parquetOptions: Unsupported,
  preserveAsciiControlCharacters: Unsupported,
  projectionFields: Unsupported,
  rangePartitioning: Unsupported,
  referenceFileSchemaUri: Unsupported,
  schemaInline: Unsupported,
  schemaUpdateOptions: Unsupported,
  sourceColumnMatch: Unsupported,
  timeFormat: Unsupported,
  timeZone: Unsupported,
  timestampFormat: Unsupported,
});

export type LoadConfiguration = v.InferOutput<typeof LoadConfigurationSchema>;

/** The body of `jobs.insert`: one of the job kinds that this server runs. `copy` and `extract` are rejected by name. */
export const JobInsertSchema = v.object({
  jobReference: v.optional(
    v.object({
      projectId: v.optional(v.string()),
      jobId: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,1024}$/, "must be alphanumeric (plus underscores and dashes)"))),
      location: v.optional(v.string()),
    }),
    {},
  ),
  configuration: v.object({
    jobType: v.optional(v.string()),
    query: v.optional(QueryConfigurationSchema),
    load: v.optional(LoadConfigurationSchema),
    dryRun: v.optional(v.boolean(), false),
    jobTimeoutMs: v.optional(Int64Schema),
    labels: v.optional(LabelsSchema, {}),
    reservation: ReservationSchema,
  }),
});

export type JobInsert = v.InferOutput<typeof JobInsertSchema>;
