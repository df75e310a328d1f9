import { openWarehouse } from "../../shared/cloud/warehouse.ts";
import { defineScheduleFunction } from "../../shared/endpoint/define-schedule.ts";
import { finisherOf, openMonitoring } from "../../shared/realtime/monitoring.ts";
import { sweepChanges } from "../../shared/realtime/sweep-changes.ts";

/** Each minute: no change of what is measured is ever forgotten. */
export default defineScheduleFunction({
  file: "realtime/sweep",
  everySeconds: 60,
  uses: (config) => ({ monitoring: openMonitoring(config), warehouse: openWarehouse(config) }),
  handler: ({ monitoring, warehouse }, { log, now, stopping }) =>
    sweepChanges({ ...finisherOf(monitoring, now), changes: monitoring.changes, warehouse, log, stopping }),
});
