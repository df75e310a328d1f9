import { PubSub } from "@google-cloud/pubsub";
import type { Config } from "../runtime/config.ts";

export interface Topic {
  /** Publishes one message as JSON. */
  readonly publish: (content: object) => Promise<void>;
}

/** Opens the topic, to publish messages that the queue lost: a Cloud Task's name cannot be reused for an hour or more. */
export function openTopic(config: Config): Topic {
  const topic = new PubSub({ projectId: config.project }).topic(config.topic, { batching: { maxMilliseconds: 1 } });
  return {
    publish: async (content) => {
      await topic.publishMessage({ json: content });
    },
  };
}
