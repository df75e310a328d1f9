import type { TopicFunction } from "../shared/endpoint/define-event.ts";
import run from "./aggregation/run.ts";

/** All functions that events call. */
export const workers: readonly TopicFunction[] = [run];
