import * as v from "valibot";
import { dispatchAndCleanUp } from "../../shared/aggregation/after-transition.ts";
import { StatusResponse } from "../../shared/aggregation/job-schemas.ts";
import { ownedJob } from "../../shared/aggregation/owned-job.ts";
import { statusResponse } from "../../shared/aggregation/status-response.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { openExports } from "../../shared/google/storage.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { ServiceError } from "../../shared/http/errors.ts";
import { JobIdInPath } from "../../shared/jobs/job-id.ts";
import { openJobQueue } from "../../shared/jobs/job-queue.ts";
import { cancel } from "../../shared/jobs/job-state.ts";
import { openJobs } from "../../shared/jobs/jobs.ts";

export default defineEndpoint({
  file: "aggregation/cancel",
  api: "data",
  method: "POST",
  path: "/data-agg/cancel/{job_id}",
  summary: "Cancel an unfinished job: its query is stopped and its output is removed",
  description: "A job that is over cannot be cancelled: that is a 409.",
  auth: {},
  checksKey: "in its transaction",
  params: v.strictObject({ job_id: JobIdInPath }),
  query: noInput,
  body: noInput,
  responses: { 200: StatusResponse },
  refusals: ["conflict"],
  dependencies: (config) => ({
    jobs: openJobs(config),
    queue: openJobQueue(config),
    warehouse: openWarehouse(config),
    exports: openExports(config),
  }),
  handler: async ({ params, caller, key }, { jobs, ...others }, { now, log, bestEffort }) => {
    const job = await ownedJob(jobs, params.job_id, caller);
    const at = now();
    const cancelled = await jobs.transition(job, (current) => cancel(current, at), at, key);
    if (!cancelled) {
      const current = await ownedJob(jobs, params.job_id, caller);
      const { status, finishedAt } = current;
      // The client retries a transaction whose response was lost. A job cancelled at this exact time was cancelled by this request.
      if (status === "cancelled" && finishedAt?.getTime() === at.getTime()) return reply(200, statusResponse(current));
      throw new ServiceError("conflict", `The job is ${status}; only a job that is queued or running can be cancelled`);
    }
    await bestEffort(dispatchAndCleanUp(cancelled, { jobs, ...others, now, log }));
    return reply(200, statusResponse(cancelled.job));
  },
});
