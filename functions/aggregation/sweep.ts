import { sweepJobs } from "../../shared/aggregation/sweep-jobs.ts";
import { openExports } from "../../shared/cloud/exports.ts";
import { openTaskQueue } from "../../shared/cloud/task-queue.ts";
import { openTopic } from "../../shared/cloud/topic.ts";
import { openWarehouse } from "../../shared/cloud/warehouse.ts";
import { defineScheduleFunction } from "../../shared/endpoint/define-schedule.ts";
import { openJobs } from "../../shared/stores/jobs.ts";

/** How many jobs of a kind one sweep looks at. */
const BATCH = 500;

/** Each minute: nothing that was accepted is ever forgotten. */
export default defineScheduleFunction({
  file: "aggregation/sweep",
  everySeconds: 60,
  uses: (config) => ({
    jobs: openJobs(config),
    topic: openTopic(config),
    queue: openTaskQueue(config),
    warehouse: openWarehouse(config),
    exports: openExports(config),
  }),
  handler: (uses, { log, now, stopping }) => sweepJobs({ ...uses, batch: BATCH, now, log, stopping }),
});
