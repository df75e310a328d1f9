import { countries } from "../../shared/countries/countries.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { openHeadcountsCopy } from "../../shared/realtime/headcounts-copy.ts";
import { refreshHeadcounts } from "../../shared/realtime/refresh.ts";
import { openSnapshots } from "../../shared/realtime/snapshots.ts";
import { openTicks } from "../../shared/realtime/ticks.ts";
import { defineScheduleFunction } from "../../shared/runtime/define-schedule.ts";

/**
 * Each tick: how many people are in every monitored map. The tick is the schedule's time, so that a late or second call is the same tick; a call
 * by hand is a tick of its own. What earlier ticks have left undone is done after it.
 */
export default defineScheduleFunction({
  file: "realtime/refresh",
  everySeconds: 300,
  dependencies: (config) => ({
    warehouse: openWarehouse(config),
    copy: openHeadcountsCopy(config),
    snapshots: openSnapshots(config),
    ticks: openTicks(config),
  }),
  handler: (uses, { log, now, config, scheduledAt, shutdownSignal }) => {
    const length = 1000 * config.tickSeconds;
    const tick = scheduledAt ? new Date(Math.floor(scheduledAt.getTime() / length) * length) : now();
    // A tick of the future would keep those of the present from being shown.
    if (tick.getTime() > now().getTime() + length) throw new Error(`The tick ${tick.toISOString()} lies in the future`);
    return refreshHeadcounts(tick, { ...uses, countries: countries(), now, log, shutdownSignal, tickMs: scheduledAt && length });
  },
});
