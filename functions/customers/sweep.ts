import { openCustomerDataStores } from "../../shared/customer-deletion/delete-data.ts";
import { sweepDeletedCustomers } from "../../shared/customer-deletion/sweep-deleted.ts";
import { defineScheduleFunction } from "../../shared/runtime/define-schedule.ts";

/** How many customers one sweep looks at. */
const BATCH = 20;

/** Every ten minutes: nothing stays of customers that were removed. */
export default defineScheduleFunction({
  file: "customers/sweep",
  everySeconds: 600,
  dependencies: openCustomerDataStores,
  handler: (uses, { log, now, shutdownSignal }) => sweepDeletedCustomers({ ...uses, batch: BATCH, now, log, shutdownSignal }),
});
