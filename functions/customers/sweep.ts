import { openCustomerDataStores } from "../../shared/customer-deletion/delete-data.ts";
import { sweepDeletedCustomers } from "../../shared/customer-deletion/sweep-deleted.ts";
import { defineScheduleFunction } from "../../shared/runtime/define-schedule.ts";

/** How many customers one sweep processes. */
const BATCH = 20;

/** Runs every ten minutes and removes all remaining data of deleted customers. */
export default defineScheduleFunction({
  file: "customers/sweep",
  everySeconds: 600,
  dependencies: openCustomerDataStores,
  handler: (uses, { log, now, shutdownSignal }) => sweepDeletedCustomers({ ...uses, batch: BATCH, now, log, shutdownSignal }),
});
