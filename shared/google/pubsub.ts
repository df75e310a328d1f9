import { PubSub } from "@google-cloud/pubsub";
import type { Config } from "../runtime/config.ts";

export interface Topic {
  /** Publishes one message, as JSON. */
  readonly publish: (content: object) => Promise<void>;
}

/** The topic, for what the queue has lost: the name of a Cloud Task cannot be used again for an hour or more. */
export function openTopic(config: Config): Topic {
  const topic = new PubSub({ projectId: config.project }).topic(config.topic, { batching: { maxMilliseconds: 1 } });
  return {
    publish: async (content) => {
      await topic.publishMessage({ json: content });
    },
  };
}
