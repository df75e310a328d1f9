import { runJob } from "../../shared/aggregation/run-job.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { openTaskQueue } from "../../shared/google/cloud-tasks.ts";
import { openExports } from "../../shared/google/storage.ts";
import { JobMessage } from "../../shared/jobs/job-message.ts";
import { openJobs } from "../../shared/jobs/jobs.ts";
import { countries } from "../../shared/products/countries.ts";
import { defineTopicFunction } from "../../shared/runtime/define-event.ts";
import { WORKER_REDELIVERY } from "../../shared/runtime/redelivery.ts";

/** The aggregation worker: one delivery of one job. */
export default defineTopicFunction({
  file: "aggregation/run",
  topic: "aggregations",
  message: JobMessage,
  redelivery: WORKER_REDELIVERY,
  dependencies: (config) => ({
    jobs: openJobs(config),
    queue: openTaskQueue(config),
    warehouse: openWarehouse(config),
    exports: openExports(config),
  }),
  handler: (message, uses, { config, log, now, shutdownSignal }) =>
    runJob(message, { ...uses, countries: countries(), exportBucket: config.exportBucket, now, log, shutdownSignal }),
});
