import { sweepJobs } from "../../shared/aggregation/sweep-jobs.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { openTopic } from "../../shared/google/pubsub.ts";
import { openExports } from "../../shared/google/storage.ts";
import { openJobQueue } from "../../shared/jobs/job-queue.ts";
import { openJobs } from "../../shared/jobs/jobs.ts";
import { defineScheduleFunction } from "../../shared/runtime/define-schedule.ts";

/** How many jobs of each kind one sweep processes. */
const BATCH = 500;

/** Runs every minute and finishes what others left undone, so that no accepted job is lost. */
export default defineScheduleFunction({
  file: "aggregation/sweep",
  everySeconds: 60,
  dependencies: (config) => ({
    jobs: openJobs(config),
    topic: openTopic(config),
    queue: openJobQueue(config),
    warehouse: openWarehouse(config),
    exports: openExports(config),
  }),
  handler: (uses, { log, now, shutdownSignal }) => sweepJobs({ ...uses, batch: BATCH, now, log, shutdownSignal }),
});
