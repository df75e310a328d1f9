import { openRemovalPlaces } from "../../shared/customer-deletion/delete-data.ts";
import { sweepGone } from "../../shared/customer-deletion/sweep-deleted.ts";
import { defineScheduleFunction } from "../../shared/runtime/define-schedule.ts";

/** How many customers one sweep looks at. */
const BATCH = 20;

/** Every ten minutes: nothing stays of customers that were removed. */
export default defineScheduleFunction({
  file: "customers/sweep",
  everySeconds: 600,
  uses: openRemovalPlaces,
  handler: (uses, { log, now, stopping }) => sweepGone({ ...uses, batch: BATCH, now, log, stopping }),
});
