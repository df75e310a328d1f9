import * as v from "valibot";
import { JobId, Timestamp } from "../countries/request-fields.ts";
import { JOB_STATUSES } from "../jobs/job-state.ts";
import { ActivitiesBody, ActivitiesRow } from "../products/activities-schemas.ts";
import { FlowBody, FlowRow } from "../products/flow-schemas.ts";
import { OdmBody, OdmRow, StoredOdmRow } from "../products/odm-schemas.ts";

/** The body of `POST /data-agg`: one variant a product, told apart by `agg_type`. */
export const AggregationBody = v.variant("agg_type", [ActivitiesBody, OdmBody, FlowBody]);
export type AggregationBody = v.InferOutput<typeof AggregationBody>;

export const SubmitResponse = v.strictObject({
  job_id: JobId,
  status: v.picklist(JOB_STATUSES),
  status_url: v.string(),
  results_url: v.string(),
});

export const StatusResponse = v.strictObject({
  job_id: JobId,
  status: v.picklist(JOB_STATUSES),
  progress: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
  created_at: Timestamp,
  started_at: v.nullable(Timestamp),
  finished_at: v.nullable(Timestamp),
  estimated_completion: v.nullable(Timestamp),
  error: v.nullable(v.string()),
});

/** What was withheld and why: told with every result, so that absence is told from no data. */
export const ResultMeta = v.strictObject({
  suppressed_rows: v.pipe(
    v.number(),
    v.description(
      "Rows in the window that are withheld: of fewer than k devices, or because finer rows of fewer than k could be told from them",
    ),
  ),
  unknown_ids: v.pipe(v.array(v.number()), v.description("Requested ids that are not geographies of the type")),
  k: v.pipe(v.number(), v.description("How many raw devices must stand behind what is published")),
});
export type ResultMeta = v.InferOutput<typeof ResultMeta>;

/** The version of a date's data that a result was made from. */
export const DataVersion = v.object({ batch_date: v.string(), version: v.number() });
export type DataVersion = v.InferOutput<typeof DataVersion>;

/** The days of a window that there is data of: what tells no data from nobody there. */
export const DataVersions = v.pipe(
  v.array(DataVersion),
  v.description("The days of the window that have data, with its version; no others do"),
);

export const ExportFile = v.strictObject({
  name: v.string(),
  size: v.number(),
  crc32c: v.pipe(v.string(), v.description("CRC32C of the file, base64 of its big-endian bytes")),
});
export type ExportFile = v.InferOutput<typeof ExportFile>;

const PreviewRow = v.union([OdmRow, FlowRow, ActivitiesRow]);

/** The rows of a preview as a job keeps them. */
export const StoredPreview = v.array(v.union([StoredOdmRow, FlowRow, ActivitiesRow]));

/** Null when the warehouse, which knows, did not answer: the results are the same either way. */
const Superseded = v.pipe(v.nullable(v.boolean()), v.description("Whether data of the window has been loaded since the job read it"));

export const PreviewResults = v.strictObject({
  job_id: JobId,
  status: v.literal("completed"),
  country_code: v.string(),
  preview: v.pipe(v.array(PreviewRow), v.maxLength(100)),
  total_rows: v.pipe(v.number(), v.description("Published rows of the whole result; preview holds the first 100")),
  meta: ResultMeta,
  data_versions: DataVersions,
  superseded: Superseded,
});

export const ExportResults = v.strictObject({
  job_id: JobId,
  status: v.literal("completed"),
  country_code: v.string(),
  http_path: v.string(),
  gs_uri: v.string(),
  files: v.array(ExportFile),
  total_rows: v.number(),
  meta: ResultMeta,
  data_versions: DataVersions,
  superseded: Superseded,
});

export const PendingResults = v.strictObject({
  job_id: JobId,
  status: v.picklist(["queued", "running"]),
  progress: v.number(),
});
