import { giveUpOnDeadLetter } from "../../shared/aggregation/dead-letter.ts";
import { openExports } from "../../shared/cloud/exports.ts";
import { openTaskQueue } from "../../shared/cloud/task-queue.ts";
import { openWarehouse } from "../../shared/cloud/warehouse.ts";
import { defineTopicFunction } from "../../shared/endpoint/define-event.ts";
import { JobMessage } from "../../shared/schemas/job-message.ts";
import { openJobs } from "../../shared/stores/jobs.ts";

/** A delivery that the worker could not process, as often as it was tried. */
export default defineTopicFunction({
  file: "aggregation/dead-letter",
  topic: "aggregations-dead-letter",
  message: JobMessage,
  uses: (config) => ({
    jobs: openJobs(config),
    queue: openTaskQueue(config),
    warehouse: openWarehouse(config),
    exports: openExports(config),
  }),
  handler: (message, uses, { log, now }) => giveUpOnDeadLetter(message, { ...uses, now, log }),
});
