import { PubSub } from "@google-cloud/pubsub";
import type { Config } from "../runtime/config.ts";

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

function topicOf({ project }: Config, name: string): Topic {
  const topic = new PubSub({ projectId: project }).topic(name, { batching: { maxMilliseconds: 1 } });
  return {
    publish: async (content) => {
      await topic.publishMessage({ json: content });
    },
  };
}
