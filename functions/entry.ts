import * as v from "valibot";
import functions from "../infra/generated/functions.json" with { type: "json" };
import { openKeyFinder } from "../shared/accounts/api-keys.ts";
import { createAuthenticate } from "../shared/accounts/authenticate.ts";
import { openUsageRecorder } from "../shared/accounts/key-uses.ts";
import { connectFirestore } from "../shared/google/firestore.ts";
import type { Endpoint } from "../shared/http/define-endpoint.ts";
import { serve } from "../shared/http/serve.ts";
import type { ServeOptions } from "../shared/http/serve-options.ts";
import { type KnownPath, unknownPath } from "../shared/http/unknown-path.ts";
import { type Config, config } from "../shared/runtime/config.ts";
import type { TopicFunction } from "../shared/runtime/define-event.ts";
import type { ScheduleFunction } from "../shared/runtime/define-schedule.ts";
import type { HttpHandler } from "../shared/runtime/http-handler.ts";
import { processLog } from "../shared/runtime/log.ts";
import { serveSchedule } from "../shared/runtime/serve-schedule.ts";
import { startExport } from "../shared/tracing/export.ts";

const PATHS: readonly KnownPath[] = v.parse(
  v.array(v.object({ api: v.picklist(["users", "data"]), path: v.string() })),
  functions.filter(({ trigger }) => trigger === "http"),
);

type EventHandler = (event: unknown) => Promise<void>;

/** The part of the functions framework that registers functions by their name, which is the same in every environment. */
export interface Framework {
  readonly http: (name: string, handler: HttpHandler) => void;
  readonly cloudEvent: (name: string, handler: EventHandler) => void;
}

/** Exports the spans of this process, if the configuration says where to. */
function exportSpans({ environment, traces }: Config): void {
  const resource = { "service.name": "populus", "deployment.environment.name": environment };
  startExport({ ...traces, resource, warn: (message, fields) => processLog("WARNING", message, fields) });
}

/** Returns the options to serve endpoints with: the process's configuration or another, key lookup in Firestore, the log and the clock. */
export function openServeOptions(current: Config = config()): ServeOptions {
  const { environment } = current;
  exportSpans(current);
  const authenticate = createAuthenticate({ environment, findKey: openKeyFinder(current), recordUse: openUsageRecorder(current) });
  return { config: current, authenticate, log: processLog, now: () => new Date() };
}

/** Opens those options for a process of one endpoint, which connects to Firestore, and may open what it uses, before its first request. */
function openAlone(endpoint: Endpoint): ServeOptions {
  const serving = openServeOptions();
  connectFirestore(serving.config, ["main", "usage"]);
  endpoint.openEarly(serving.config, serving.now);
  return serving;
}

/** Registers an endpoint that requires a key, and returns its handler. Without `serving` it has the process for itself. */
export function registerEndpoint({ http }: Framework, endpoint: Endpoint, serving: ServeOptions = openAlone(endpoint)): HttpHandler {
  const handler = serve(endpoint, serving);
  http(endpoint.name, handler);
  return handler;
}

/**
 * Registers an endpoint that requires no key, and returns its handler. It looks up no key, so its bundle does not include Firestore. The
 * requests for unknown paths go to such an endpoint, so it knows all paths.
 */
export function registerPublicEndpoint({ http }: Framework, endpoint: Endpoint): HttpHandler {
  const current = config();
  exportSpans(current);
  const handler = serve(endpoint, {
    config: current,
    authenticate: async () => undefined,
    log: processLog,
    now: () => new Date(),
    unknownPath: (api, path) => unknownPath(api, path, PATHS, current.baseUrls),
  });
  http(endpoint.name, handler);
  return handler;
}

/** Registers a function that a topic's push subscription calls, and returns its handler. Without `current` it has the process for itself. */
export function registerTopic({ cloudEvent }: Framework, worker: TopicFunction, current?: Config): EventHandler {
  exportSpans(current ?? config());
  if (!current) worker.open(config());
  const handler = (event: unknown): Promise<void> => worker.run(event, current);
  cloudEvent(worker.eventName, handler);
  return handler;
}

/** Registers a function that Cloud Scheduler calls, and returns its handler. */
export function registerSchedule({ http }: Framework, schedule: ScheduleFunction, current?: Config): HttpHandler {
  exportSpans(current ?? config());
  const handler = serveSchedule(schedule, current);
  http(schedule.scheduleName, handler);
  return handler;
}
