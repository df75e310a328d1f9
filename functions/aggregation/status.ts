import * as v from "valibot";
import { StatusQuery, StatusResponse } from "../../shared/aggregation/job-schemas.ts";
import { ownedJob } from "../../shared/aggregation/owned-job.ts";
import { statusResponse } from "../../shared/aggregation/status-response.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { openHeldJobReader } from "../../shared/jobs/held-job.ts";
import { JobIdInPath } from "../../shared/jobs/job-id.ts";
import { isOver } from "../../shared/jobs/job-state.ts";
import { askedOf, JobRequest } from "../../shared/products/catalogue.ts";

/** A job's status, with its request when that was asked for. */
const StatusWithRequest = v.pipe(v.strictObject({ ...StatusResponse.entries, request: v.optional(JobRequest) }), v.title("JobWithRequest"));

export default defineEndpoint({
  file: "aggregation/status",
  api: "data",
  method: "GET",
  path: "/data-agg/status/{job_id}",
  summary: "Get the status of a job",
  description:
    "`Retry-After` says when to ask again, until the job is over. `progress` never goes back. With `include=request` the answer has what was asked for, to repeat it with changes: `POST /data-agg` takes it.",
  auth: {},
  checksKey: "with its read",
  params: v.strictObject({ job_id: JobIdInPath }),
  query: StatusQuery,
  body: noInput,
  responses: { 200: StatusWithRequest },
  responseHeaders: { 200: ["Retry-After"] },
  dependencies: (config) => ({ readJob: openHeldJobReader(config) }),
  handler: async ({ params, query, caller, key }, { readJob }) => {
    const isAsked = query.include === "request";
    const job = await ownedJob({ get: (id) => readJob(id, key, isAsked ? "whole" : "brief") }, params.job_id, caller);
    const request = isAsked ? { request: askedOf(job.request) } : {};
    return reply(200, { ...statusResponse(job), ...request }, isOver(job) ? {} : { "retry-after": "1" });
  },
});
