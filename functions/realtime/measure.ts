import { openInteractiveJobs } from "../../shared/budgets/interactive-warehouse.ts";
import { countries } from "../../shared/countries/countries.ts";
import { openMaps } from "../../shared/maps/maps.ts";
import { MeasureMessage, measureMap } from "../../shared/realtime/measure-map.ts";
import { openSnapshots, snapshotRows } from "../../shared/realtime/snapshots.ts";
import { defineTopicFunction } from "../../shared/runtime/define-event.ts";
import { createInTurn } from "../../shared/runtime/in-turn.ts";

/** A customer who enables many maps has as many measured at once as have their turn in this time. The next tick measures the others. */
const TURN_MS_MAX = 10_000;

/** Measures a map whose monitoring was enabled, or that was changed, without waiting for a tick. */
export default defineTopicFunction({
  file: "realtime/measure",
  topic: "measurements",
  message: MeasureMessage,
  dependencies: (config, now) => ({
    maps: openMaps(config, snapshotRows),
    warehouse: openInteractiveJobs(config, now),
    snapshots: openSnapshots(config),
    inTurn: createInTurn(TURN_MS_MAX),
  }),
  handler: (message, uses, { config, log, now, shutdownSignal }) =>
    measureMap(message, { ...uses, countries: countries(), tickMs: 1000 * config.tickSeconds, now, log, shutdownSignal }),
});
