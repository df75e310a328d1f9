import { openKeyFinder, openUsageRecorder } from "../shared/accounts/api-keys.ts";
import { createAuthenticate } from "../shared/accounts/authenticate.ts";
import type { Endpoint } from "../shared/http/define-endpoint.ts";
import { serve } from "../shared/http/serve.ts";
import type { ServeOptions } from "../shared/http/serve-options.ts";
import { config } from "../shared/runtime/config.ts";
import type { TopicFunction } from "../shared/runtime/define-event.ts";
import type { ScheduleFunction } from "../shared/runtime/define-schedule.ts";
import type { HttpHandler } from "../shared/runtime/http-handler.ts";
import { processLog } from "../shared/runtime/log.ts";
import { serveSchedule } from "../shared/runtime/serve-schedule.ts";

type EventHandler = (event: unknown) => Promise<void>;

/** The functions framework, as far as a function is registered with it: by its name in every environment. */
export interface Framework {
  readonly http: (name: string, handler: HttpHandler) => void;
  readonly cloudEvent: (name: string, handler: EventHandler) => void;
}

/** What the endpoints of this process are served with: its configuration, Firestore for the keys, its log, the clock. */
export function openServeOptions(): ServeOptions {
  const current = config();
  const { environment } = current;
  const authenticate = createAuthenticate({ environment, findKey: openKeyFinder(current), recordUse: openUsageRecorder(current) });
  return { config: current, authenticate, log: processLog, now: () => new Date() };
}

/** Registers an endpoint that is called with a key. Returns its handler, as the others do. */
export function registerEndpoint({ http }: Framework, endpoint: Endpoint, serving: ServeOptions = openServeOptions()): HttpHandler {
  const handler = serve(endpoint, serving);
  http(endpoint.name, handler);
  return handler;
}

/** Registers an endpoint that is open to everybody. It looks for no key, so that its bundle has no Firestore. */
export function registerPublicEndpoint({ http }: Framework, endpoint: Endpoint): HttpHandler {
  const handler = serve(endpoint, { config: config(), authenticate: async () => undefined, log: processLog, now: () => new Date() });
  http(endpoint.name, handler);
  return handler;
}

/** Registers a function that a topic's push subscription calls. */
export function registerTopic({ cloudEvent }: Framework, worker: TopicFunction): EventHandler {
  cloudEvent(worker.eventName, worker.run);
  return worker.run;
}

/** Registers a function that Cloud Scheduler calls. */
export function registerSchedule({ http }: Framework, schedule: ScheduleFunction): HttpHandler {
  const handler = serveSchedule(schedule);
  http(schedule.scheduleName, handler);
  return handler;
}
