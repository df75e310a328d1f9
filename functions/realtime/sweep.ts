import { countries } from "../../shared/countries/countries.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { deliverPendingMapChanges } from "../../shared/realtime/deliver-pending-changes.ts";
import { mapChangeContext, openMonitoring } from "../../shared/realtime/monitoring.ts";
import { defineScheduleFunction } from "../../shared/runtime/define-schedule.ts";

/** Runs every minute and delivers pending map changes to the warehouse, so that none is lost. */
export default defineScheduleFunction({
  file: "realtime/sweep",
  everySeconds: 60,
  dependencies: (config) => ({ monitoring: openMonitoring(config), warehouse: openWarehouse(config) }),
  handler: ({ monitoring, warehouse }, { log, now, shutdownSignal }) =>
    deliverPendingMapChanges({
      ...mapChangeContext(monitoring, countries(), now),
      changes: monitoring.changes,
      warehouse,
      log,
      shutdownSignal,
    }),
});
