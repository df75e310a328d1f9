import * as v from "valibot";
import { WholeNumber } from "../http/fields.ts";
import { JobId } from "../jobs/job-id.ts";
import { ExportFile } from "../jobs/job-result.ts";
import { ResultRow } from "../products/catalogue.ts";
import { DataVersions, ResultMeta } from "../products/result-meta.ts";
import { Warnings } from "../products/result-warnings.ts";

/** Null when the warehouse did not answer. The results are the same either way. */
const Superseded = v.pipe(v.nullable(v.boolean()), v.description("Whether data of the window has been loaded since the job read it"));

export const PreviewResults = v.pipe(
  v.strictObject({
    job_id: JobId,
    status: v.literal("completed"),
    country_code: v.string(),
    preview: v.pipe(v.array(ResultRow), v.maxLength(100)),
    total_rows: v.pipe(WholeNumber, v.description("Published rows of the whole result; preview holds the first 100")),
    meta: ResultMeta,
    data_versions: DataVersions,
    warnings: Warnings,
    superseded: Superseded,
  }),
  v.title("PreviewResults"),
);

export const ExportResults = v.pipe(
  v.strictObject({
    job_id: JobId,
    status: v.literal("completed"),
    country_code: v.string(),
    http_path: v.string(),
    gs_uri: v.string(),
    files: v.array(ExportFile),
    total_rows: WholeNumber,
    meta: ResultMeta,
    data_versions: DataVersions,
    warnings: Warnings,
    superseded: Superseded,
  }),
  v.title("ExportResults"),
);

/** The results of a completed job. */
export const JobResults = v.pipe(v.union([PreviewResults, ExportResults]), v.title("JobResults"));

export const PendingResults = v.pipe(
  v.strictObject({
    job_id: JobId,
    status: v.picklist(["queued", "running"]),
    progress: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
  }),
  v.title("PendingResults"),
);
