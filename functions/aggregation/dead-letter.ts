import { failDeadLettered } from "../../shared/aggregation/dead-letter.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { openExports } from "../../shared/google/storage.ts";
import { JobMessage } from "../../shared/jobs/job-message.ts";
import { openJobQueue } from "../../shared/jobs/job-queue.ts";
import { openJobs } from "../../shared/jobs/jobs.ts";
import { defineTopicFunction } from "../../shared/runtime/define-event.ts";

/** Handles dead letters: messages that the worker failed to process in all their deliveries. */
export default defineTopicFunction({
  file: "aggregation/dead-letter",
  topic: "aggregations-dead-letter",
  message: JobMessage,
  dependencies: (config) => ({
    jobs: openJobs(config),
    queue: openJobQueue(config),
    warehouse: openWarehouse(config),
    exports: openExports(config),
  }),
  handler: (message, uses, { log, now }) => failDeadLettered(message, { ...uses, now, log }),
});
