import { countries } from "../../shared/countries/countries.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { reportMissingDays } from "../../shared/loading/arrivals.ts";
import { defineScheduleFunction } from "../../shared/runtime/define-schedule.ts";

/** Runs every 15 minutes and reports the days of data that did not arrive by their hour. */
export default defineScheduleFunction({
  file: "loading/arrivals",
  everySeconds: 900,
  dependencies: (config) => ({ warehouse: openWarehouse(config) }),
  handler: ({ warehouse }, { config, log, now }) =>
    reportMissingDays(warehouse, { countries: countries(), hour: config.arrivalHour, now, log }),
});
