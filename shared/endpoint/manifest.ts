import type { Endpoint } from "./define.ts";
import type { TopicFunction } from "./define-event.ts";
import type { ScheduleFunction } from "./define-schedule.ts";

/** What `functions.json` says of one function: all that a deployment needs to know of it. */
export type FunctionEntry =
  | {
      readonly name: string;
      readonly entry: string;
      readonly trigger: "http";
      readonly api: string;
      readonly method: string;
      readonly path: string;
    }
  | { readonly name: string; readonly entry: string; readonly trigger: "topic"; readonly topic: string; readonly event_type: string }
  | { readonly name: string; readonly entry: string; readonly trigger: "schedule"; readonly every_seconds: number };

/** The functions of a deployment, endpoints first. Terraform reads it for the URL map and the functions. */
export function functionsManifest(
  endpoints: readonly Endpoint[],
  topics: readonly TopicFunction[],
  schedules: readonly ScheduleFunction[],
): FunctionEntry[] {
  return [
    ...endpoints.map(({ name, file, api, method, path }) => ({ name, entry: entryOf(file), trigger: "http" as const, api, method, path })),
    ...topics.map((topic) => ({
      name: topic.eventName,
      entry: entryOf(topic.file),
      trigger: "topic" as const,
      topic: topic.__endpoint.eventTrigger.eventFilters.topic,
      event_type: topic.__endpoint.eventTrigger.eventType,
    })),
    ...schedules.map(({ scheduleName, file, everySeconds }) => ({
      name: scheduleName,
      entry: entryOf(file),
      trigger: "schedule" as const,
      every_seconds: everySeconds,
    })),
  ];
}

function entryOf(file: string): string {
  return `functions/${file}.ts`;
}
