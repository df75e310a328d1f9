import type { Endpoint } from "../shared/http/define-endpoint.ts";
import type { TopicFunction } from "../shared/runtime/define-event.ts";
import type { ScheduleFunction } from "../shared/runtime/define-schedule.ts";

/** The entry of one function in `functions.json`: everything that a deployment needs to know about it. */
export type FunctionEntry =
  | {
      readonly name: string;
      readonly entry: string;
      readonly trigger: "http";
      readonly api: string;
      readonly method: string;
      readonly path: string;
    }
  | {
      readonly name: string;
      readonly entry: string;
      readonly trigger: "topic";
      readonly topic: string;
      readonly event_type: string;
      /** Where messages go after this many failed attempts, and the backoff. Without it, redelivery ends with the topic's retention. */
      readonly dead_letters?: {
        readonly topic: string;
        readonly max_delivery_attempts: number;
        readonly minimum_backoff_seconds: number;
        readonly maximum_backoff_seconds: number;
      };
    }
  | { readonly name: string; readonly entry: string; readonly trigger: "schedule"; readonly every_seconds: number };

/** Returns the functions of a deployment, endpoints first. Terraform derives the URL map and the functions from it. */
export function functionsManifest(
  endpoints: readonly Endpoint[],
  topics: readonly TopicFunction[],
  schedules: readonly ScheduleFunction[],
): FunctionEntry[] {
  return [
    ...endpoints.map(({ name, file, api, method, path }) => ({ name, entry: entryOf(file), trigger: "http" as const, api, method, path })),
    ...topics.map(topicEntry),
    ...schedules.map(({ scheduleName, file, everySeconds }) => ({
      name: scheduleName,
      entry: entryOf(file),
      trigger: "schedule" as const,
      every_seconds: everySeconds,
    })),
  ];
}

function topicEntry({ eventName, file, redelivery, __endpoint: { eventTrigger } }: TopicFunction): FunctionEntry {
  const { topic } = eventTrigger.eventFilters;
  const deadLetters = redelivery && {
    topic: `${topic}-dead-letter`,
    max_delivery_attempts: redelivery.attemptsMax,
    minimum_backoff_seconds: redelivery.backoffSeconds.minimum,
    maximum_backoff_seconds: redelivery.backoffSeconds.maximum,
  };
  const entry = { name: eventName, entry: entryOf(file), trigger: "topic" as const, topic, event_type: eventTrigger.eventType };
  return deadLetters ? { ...entry, dead_letters: deadLetters } : entry;
}

function entryOf(file: string): string {
  return `functions/${file}.ts`;
}
