import { runJob } from "../../shared/aggregation/run-job.ts";
import { openExports } from "../../shared/cloud/exports.ts";
import { openTaskQueue } from "../../shared/cloud/task-queue.ts";
import { openWarehouse } from "../../shared/cloud/warehouse.ts";
import { countries } from "../../shared/countries.ts";
import { WORKER_REDELIVERY } from "../../shared/domain/redelivery.ts";
import { defineTopicFunction } from "../../shared/endpoint/define-event.ts";
import { JobMessage } from "../../shared/schemas/job-message.ts";
import { openJobs } from "../../shared/stores/jobs.ts";

/** The aggregation worker: one delivery of one job. */
export default defineTopicFunction({
  file: "aggregation/run",
  topic: "aggregations",
  message: JobMessage,
  redelivery: WORKER_REDELIVERY,
  uses: (config) => ({
    jobs: openJobs(config),
    queue: openTaskQueue(config),
    warehouse: openWarehouse(config),
    exports: openExports(config),
  }),
  handler: (message, uses, { config, log, now, stopping }) =>
    runJob(message, { ...uses, countries: countries(), exportBucket: config.exportBucket, now, log, stopping }),
});
