import * as v from "valibot";
import { statusOf } from "../../shared/aggregation/job-status.ts";
import { ownedJob } from "../../shared/aggregation/owned-job.ts";
import { isOver } from "../../shared/domain/job-state.ts";
import { defineEndpoint, nothing, reply } from "../../shared/endpoint/define.ts";
import { StatusResponse } from "../../shared/schemas/aggregation.ts";
import { JobId } from "../../shared/schemas/fields.ts";
import { openJobs } from "../../shared/stores/jobs.ts";

export default defineEndpoint({
  file: "aggregation/status",
  api: "data",
  method: "GET",
  path: "/data-agg/status/{job_id}",
  summary: "How a job stands",
  auth: {},
  params: v.strictObject({ job_id: JobId }),
  query: nothing,
  body: nothing,
  responses: { 200: StatusResponse },
  responseHeaders: { 200: ["Retry-After"] },
  uses: (config) => ({ jobs: openJobs(config) }),
  handler: async ({ params, caller }, { jobs }) => {
    const job = await ownedJob(jobs, params.job_id, caller);
    return reply(200, statusOf(job), isOver(job) ? {} : { "retry-after": "1" });
  },
});
