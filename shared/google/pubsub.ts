import { PubSub } from "@google-cloud/pubsub";
import type { Config } from "../runtime/config.ts";
import { childSpan, traceAttributes } from "../tracing/span.ts";
import { withoutTls } from "./grpc-address.ts";

export interface Topic {
  /** Publishes one message as JSON. */
  readonly publish: (content: object) => Promise<void>;
}

/** Opens the topic of jobs, to publish messages that the queue lost: a Cloud Task's name cannot be reused for an hour or more. */
export function openTopic(config: Config): Topic {
  return topicOf(config, config.topic);
}

/** Opens the topic of maps to measure at once. */
export function openMeasurementsTopic(config: Config): Topic {
  return topicOf(config, config.measurementsTopic);
}

/** The client finds a local address in PUBSUB_EMULATOR_HOST itself, and would then present no token. */
function topicOf({ project, accessToken }: Config, name: string): Topic {
  const credentials = accessToken === undefined ? {} : { emulatorMode: false, sslCreds: withoutTls(accessToken) };
  const topic = new PubSub({ projectId: project, ...credentials }).topic(name, { batching: { maxMilliseconds: 1 } });
  return {
    publish: (content) =>
      childSpan({ name: `publish ${name}`, kind: "producer" }, async () => {
        await topic.publishMessage({ json: content, attributes: traceAttributes() });
      }),
  };
}
