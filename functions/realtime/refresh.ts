import { countries } from "../../shared/countries/countries.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { openCustomerTables } from "../../shared/realtime/customer-tables.ts";
import { LOAD_JOBS_A_DAY_MAX } from "../../shared/realtime/load-customer-tables.ts";
import { refreshHeadcounts } from "../../shared/realtime/refresh.ts";
import { openSnapshots } from "../../shared/realtime/snapshots.ts";
import { openTicks } from "../../shared/realtime/ticks.ts";
import { defineScheduleFunction } from "../../shared/runtime/define-schedule.ts";

/**
 * Runs at each tick and counts the people in every monitored map. The tick is the scheduled time, so that a late or repeated call is the
 * same tick. A manual call is a separate tick. Unfinished work of earlier ticks is done afterwards.
 */
export default defineScheduleFunction({
  file: "realtime/refresh",
  everySeconds: 300,
  dependencies: (config) => ({
    warehouse: openWarehouse(config),
    tables: openCustomerTables(config),
    snapshots: openSnapshots(config),
    ticks: openTicks(config),
  }),
  handler: (uses, { log, now, config, scheduledAt, shutdownSignal }) => {
    const length = 1000 * config.tickSeconds;
    const tick = scheduledAt ? new Date(Math.floor(scheduledAt.getTime() / length) * length) : now();
    // A tick in the future would hide the current ones.
    if (tick.getTime() > now().getTime() + length) throw new Error(`The tick ${tick.toISOString()} is in the future`);
    return refreshHeadcounts(tick, {
      ...uses,
      countries: countries(),
      now,
      log,
      shutdownSignal,
      intervalMs: length,
      // A local warehouse has no limit, and its ticks may be seconds apart.
      loadJobsADayMax: config.environment === "local" ? Number.POSITIVE_INFINITY : LOAD_JOBS_A_DAY_MAX,
      tickMs: scheduledAt && length,
    });
  },
});
