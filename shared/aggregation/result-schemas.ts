import * as v from "valibot";
import { JobId } from "../jobs/job-id.ts";
import { ExportFile } from "../jobs/job-result.ts";
import { ResultRow } from "../products/catalogue.ts";
import { DataVersions, ResultMeta } from "../products/result-meta.ts";
import { Warnings } from "../products/result-warnings.ts";

/** Null when the warehouse did not answer. The results are the same either way. */
const Superseded = v.pipe(v.nullable(v.boolean()), v.description("Whether data of the window has been loaded since the job read it"));

export const PreviewResults = v.strictObject({
  job_id: JobId,
  status: v.literal("completed"),
  country_code: v.string(),
  preview: v.pipe(v.array(ResultRow), v.maxLength(100)),
  total_rows: v.pipe(v.number(), v.description("Published rows of the whole result; preview holds the first 100")),
  meta: ResultMeta,
  data_versions: DataVersions,
  warnings: Warnings,
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
  warnings: Warnings,
  superseded: Superseded,
});

export const PendingResults = v.strictObject({
  job_id: JobId,
  status: v.picklist(["queued", "running"]),
  progress: v.number(),
});
