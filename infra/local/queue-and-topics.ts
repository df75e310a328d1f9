import { type CreateSubscriptionOptions, PubSub, type Topic } from "@google-cloud/pubsub";
import { CloudTasksClient } from "@google-cloud/tasks";
import { ignoreExisting } from "../../scripts/admin/local/ignore-existing.ts";
import { grpcAddress } from "../../shared/google/grpc-address.ts";
import type { Config } from "../../shared/runtime/config.ts";
import { LOCAL_REDELIVERY } from "./redelivery.ts";

/** Creates the queue, the topics and their push subscriptions, as Terraform does in the cloud. */
export async function provisionQueueAndTopics(config: Config, pubsubHost: string, urlOf: (name: string) => string): Promise<void> {
  const tasks = new CloudTasksClient({ projectId: config.project, ...grpcAddress(config.addresses.tasks) });
  const name = tasks.queuePath(config.project, config.queueRegion, config.queue);
  await ignoreExisting(
    tasks.createQueue({
      parent: tasks.locationPath(config.project, config.queueRegion),
      queue: { name, rateLimits: { maxDispatchesPerSecond: 500, maxConcurrentDispatches: 1000 } },
    }),
  );
  const pubsub = new PubSub({ projectId: config.project, apiEndpoint: pubsubHost, emulatorMode: true });
  const topic = pubsub.topic(config.topic);
  const deadLetters = pubsub.topic(`${config.topic}-dead-letter`);
  const measurements = pubsub.topic(config.measurementsTopic);
  for (const created of [topic, deadLetters, measurements]) await ignoreExisting(created.create());
  const { attemptsMax: maxDeliveryAttempts, backoffSeconds } = LOCAL_REDELIVERY;
  const retryPolicy = { minimumBackoff: { seconds: backoffSeconds.minimum }, maximumBackoff: { seconds: backoffSeconds.maximum } };
  await subscribe(topic, `${config.topic}-run`, {
    pushConfig: { pushEndpoint: urlOf("aggregation-run") },
    ackDeadlineSeconds: 600,
    retryPolicy,
    deadLetterPolicy: { deadLetterTopic: deadLetters.name, maxDeliveryAttempts },
  });
  // No maximum of attempts: a dead letter is redelivered for a week until it is handled.
  await subscribe(deadLetters, `${config.topic}-dead-letter-run`, {
    pushConfig: { pushEndpoint: urlOf("aggregation-dead-letter") },
    ackDeadlineSeconds: 600,
    retryPolicy,
  });
  await subscribe(measurements, `${config.measurementsTopic}-measure`, {
    pushConfig: { pushEndpoint: urlOf("realtime-measure") },
    ackDeadlineSeconds: 600,
    retryPolicy,
  });
  await Promise.all([tasks.close(), pubsub.close()]);
}

/** Creates a push subscription. An existing one gets the function's current address. */
async function subscribe(topic: Topic, name: string, options: CreateSubscriptionOptions & { readonly pushConfig: object }): Promise<void> {
  const existed = await ignoreExisting(topic.createSubscription(name, options));
  if (existed) await topic.subscription(name).modifyPushConfig(options.pushConfig);
}
