import { openHeadcountsCopy } from "../../shared/cloud/headcounts-copy.ts";
import { openWarehouse } from "../../shared/cloud/warehouse.ts";
import { countries } from "../../shared/countries.ts";
import { defineScheduleFunction } from "../../shared/endpoint/define-schedule.ts";
import { refresh } from "../../shared/realtime/refresh.ts";
import { openSnapshots } from "../../shared/stores/snapshots.ts";

/** Each tick: how many people are in every monitored map. The tick is the schedule's time, so that a late or second call is the same tick. */
export default defineScheduleFunction({
  file: "realtime/refresh",
  everySeconds: 300,
  uses: (config) => ({ warehouse: openWarehouse(config), copy: openHeadcountsCopy(config), snapshots: openSnapshots(config) }),
  handler: (uses, { log, config, scheduledAt }) => {
    const length = config.tickSeconds * 1000;
    const tick = new Date(Math.floor(scheduledAt.getTime() / length) * length);
    return refresh(tick, { ...uses, countries: countries(), log });
  },
});
