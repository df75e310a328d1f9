import * as v from "valibot";
import { Timestamp } from "../http/fields.ts";
import { JobId } from "../jobs/job-id.ts";
import { JOB_STATUSES } from "../jobs/job-state.ts";
import { Warnings } from "../products/result-warnings.ts";

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
  warnings: Warnings,
});
