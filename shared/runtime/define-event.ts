import * as v from "valibot";
import { entrySpan } from "../tracing/span.ts";
import { parseTraceparent } from "../tracing/trace-context.ts";
import { type Config, config } from "./config.ts";
import { functionName } from "./function-name.ts";
import { describeError, type Log, processLog } from "./log.ts";
import type { Redelivery } from "./redelivery.ts";
import { shutdownSignal } from "./shutdown-signal.ts";
import { withTimeout } from "./with-timeout.ts";

/** The default timeout of a delivery in milliseconds: longer than its wait for the warehouse, shorter than Pub/Sub's acknowledgement deadline. */
const DELIVERY_MS_MAX = 60_000;

/** What an event handler receives besides its message. */
export interface EventContext {
  readonly config: Config;
  readonly log: Log;
  readonly now: () => Date;
  /** Aborted on SIGTERM. Handlers that wait then leave the rest to the next delivery or run. */
  readonly shutdownSignal: AbortSignal;
}

interface TopicDefinition<M, U> {
  /** Folder and file below `functions/`. */
  readonly file: string;
  /** The topic's default name. */
  readonly topic: string;
  readonly message: v.GenericSchema<unknown, M>;
  /** The timeout of a delivery in milliseconds, less than Pub/Sub's acknowledgement deadline of ten minutes. Default: one minute. */
  readonly deliveryMsMax?: number;
  /** How often a failing message is redelivered before it goes to `TOPIC-dead-letter`. By default until the topic's retention ends. */
  readonly redelivery?: Redelivery;
  /** Opens the stores and clients that the handler uses. Called once per process, before the first message or at it. */
  readonly dependencies: (config: Config, now: () => Date) => U;
  readonly handler: (message: M, uses: U, context: EventContext) => Promise<void>;
}

/** The part of a Pub/Sub CloudEvent that the service reads. Source: https://cloud.google.com/eventarc/docs/cloudevents#pubsub */
const PubSubEvent = v.object({
  data: v.object({
    message: v.object({ data: v.string(), attributes: v.optional(v.object({ traceparent: v.optional(v.string()) }), {}) }),
  }),
});

/** A function that a topic's push subscription calls. firebase-functions-test needs the members `run` and `__endpoint`. */
export interface TopicFunction {
  (event: unknown): Promise<void>;
  readonly file: string;
  readonly eventName: string;
  readonly redelivery: Redelivery | undefined;
  /** Opens what the handler uses. The first message does so too; a process that has one function need not wait for it. */
  readonly open: (current: Config) => void;
  /** Runs with the process's configuration unless another is given. */
  readonly run: (event: unknown, current?: Config) => Promise<void>;
  readonly __endpoint: {
    readonly platform: "gcfv2";
    readonly eventTrigger: { readonly eventType: string; readonly eventFilters: { readonly topic: string }; readonly retry: boolean };
  };
}

/**
 * Defines a function that processes a topic's messages. An unreadable message is logged and acknowledged, since a retry cannot help.
 * If the handler throws, the message is redelivered.
 */
export function defineTopicFunction<M, U>(definition: TopicDefinition<M, U>): TopicFunction {
  let uses: U | undefined;
  const now = () => new Date();
  const name = functionName(definition.file);
  const open = (current: Config): U => {
    uses ??= definition.dependencies(current, now);
    return uses;
  };
  const run = (event: unknown, current = config()): Promise<void> => {
    const parsed = v.safeParse(PubSubEvent, event);
    const { data = "", attributes = {} } = parsed.success ? parsed.output.data.message : {};
    const options = { name, kind: "consumer", attributes: { "faas.name": name, "messaging.system": "gcp_pubsub" } } as const;
    return entrySpan(current.project, parseTraceparent(attributes.traceparent), options, () => handle(data, current));
  };
  const handle = async (data: string, current: Config): Promise<void> => {
    const log: Log = (severity, message, fields) => processLog(severity, message, { function: name, ...fields });
    const message = v.safeParse(definition.message, readMessage(data));
    if (!message.success) {
      log("ERROR", "A message that cannot be read was dropped", { issues: message.issues.map((issue) => issue.message) });
      return;
    }
    const opened = open(current);
    try {
      const context = { config: current, log, now, shutdownSignal };
      await withTimeout(definition.handler(message.output, opened, context), definition.deliveryMsMax ?? DELIVERY_MS_MAX);
    } catch (error) {
      log("ERROR", "A message failed and will be delivered again", describeError(error));
      throw error;
    }
  };
  return Object.assign((event: unknown) => run(event), {
    file: definition.file,
    eventName: name,
    redelivery: definition.redelivery,
    open,
    run,
    __endpoint: {
      platform: "gcfv2" as const,
      eventTrigger: { eventType: "google.cloud.pubsub.topic.v1.messagePublished", eventFilters: { topic: definition.topic }, retry: true },
    },
  });
}

function readMessage(data: string): unknown {
  try {
    return JSON.parse(Buffer.from(data, "base64").toString("utf8"));
  } catch {
    return undefined;
  }
}
