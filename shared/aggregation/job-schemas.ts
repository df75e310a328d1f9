import * as v from "valibot";
import { Timestamp } from "../http/fields.ts";
import { JobId } from "../jobs/job-id.ts";
import { JOB_STATUSES } from "../jobs/job-state.ts";
import { STORED_FIELDS } from "../products/request-fields.ts";
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

/**
 * A job's request, as the service read it: every default is filled in, and times are in UTC. The document says that there are members
 * beside these: linters and generators take an object that does not say so for one without.
 */
const JobRequest = v.pipe(
  v.objectWithRest({ agg_type: v.string(), measure: v.string(), ...STORED_FIELDS }, v.unknown()),
  v.title("JobRequest"),
  v.description("As the service read it, with every default; the other members are those of the product. null: all geographies"),
);

/** A job's status, with its request when that was asked for. */
export const StatusWithRequest = v.pipe(
  v.strictObject({ ...StatusResponse.entries, request: v.optional(JobRequest) }),
  v.title("JobWithRequest"),
);
