import * as v from "valibot";
import { Timestamp } from "../http/fields.ts";
import { JobId } from "../jobs/job-id.ts";
import { JOB_STATUSES } from "../jobs/job-state.ts";
import { Warnings } from "../products/result-warnings.ts";

export const JobStatus = v.pipe(v.picklist(JOB_STATUSES), v.title("JobStatus"));

export const SubmitResponse = v.pipe(
  v.strictObject({ job_id: JobId, status: JobStatus, status_url: v.string(), results_url: v.string() }),
  v.title("SubmittedJob"),
);

export const StatusResponse = v.pipe(
  v.strictObject({
    job_id: JobId,
    status: JobStatus,
    progress: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
    created_at: Timestamp,
    started_at: v.nullable(Timestamp),
    finished_at: v.nullable(Timestamp),
    estimated_completion: v.nullable(Timestamp),
    error: v.nullable(v.string()),
    warnings: Warnings,
  }),
  v.title("Job"),
);

/** The query of `GET /data-agg/status/{job_id}`. */
export const StatusQuery = v.strictObject({
  include: v.pipe(v.optional(v.picklist(["request"])), v.description("request: what the job was asked for, too")),
});
