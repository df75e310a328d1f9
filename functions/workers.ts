import type { TopicFunction } from "../shared/runtime/define-event.ts";
import type { ScheduleFunction } from "../shared/runtime/define-schedule.ts";
import deadLetter from "./aggregation/dead-letter.ts";
import run from "./aggregation/run.ts";
import sweep from "./aggregation/sweep.ts";
import sweepCustomers from "./customers/sweep.ts";
import arrivals from "./loading/arrivals.ts";
import importDay from "./loading/import.ts";
import measure from "./realtime/measure.ts";
import refresh from "./realtime/refresh.ts";
import sweepRealtime from "./realtime/sweep.ts";

/** All functions that a topic calls. */
export const topicFunctions: readonly TopicFunction[] = [run, deadLetter, measure, importDay];

/** All functions that Cloud Scheduler calls. */
export const scheduleFunctions: readonly ScheduleFunction[] = [sweep, refresh, sweepRealtime, sweepCustomers, arrivals];
