import { runJob } from "../../shared/aggregation/run-job.ts";
import { countries } from "../../shared/countries/countries.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { connectFirestore } from "../../shared/google/firestore.ts";
import { openExports } from "../../shared/google/storage.ts";
import { JobMessage } from "../../shared/jobs/job-message.ts";
import { openJobQueue } from "../../shared/jobs/job-queue.ts";
import { openJobs } from "../../shared/jobs/jobs.ts";
import { WORKER_REDELIVERY } from "../../shared/jobs/worker-redelivery.ts";
import { defineTopicFunction } from "../../shared/runtime/define-event.ts";

/** The aggregation worker: processes one delivery of one job. */
export default defineTopicFunction({
  file: "aggregation/run",
  topic: "aggregations",
  message: JobMessage,
  redelivery: WORKER_REDELIVERY,
  dependencies: (config) => {
    connectFirestore(config, ["main"]);
    return { jobs: openJobs(config), queue: openJobQueue(config), warehouse: openWarehouse(config), exports: openExports(config) };
  },
  handler: (message, uses, { config, log, now, shutdownSignal }) =>
    runJob(message, { ...uses, countries: countries(), exportBucket: config.exportBucket, now, log, shutdownSignal }),
});
