import type { Config } from "../../shared/runtime/config.ts";
import { LOCAL_REDELIVERY } from "./redelivery.ts";

const OK = 200;
const CONFLICT = 409;

/**
 * Creates the topics and their push subscriptions, as Terraform does in the cloud. Existing subscriptions get the functions' current
 * addresses. It uses Pub/Sub's REST API, because the client takes longer to load than all of this.
 * @param pubsub the address of Pub/Sub, `127.0.0.1:port`
 */
export async function provisionTopics(
  { project, topic, measurementsTopic, landingsTopic }: Pick<Config, "project" | "topic" | "measurementsTopic" | "landingsTopic">,
  pubsub: string,
  urlOf: (name: string) => string,
): Promise<void> {
  const create = (method: "PUT" | "POST", path: string, body: object) =>
    call(method, `http://${pubsub}/v1/projects/${project}/${path}`, body);
  const nameOf = (name: string): string => `projects/${project}/topics/${name}`;
  const subscribe = async (name: string, endpoint: string, subscription: { topic: string; deadLetterPolicy?: object }): Promise<void> => {
    // The functions framework reads the topic from the path. Without it, it prints two lines of text for each message.
    const pushConfig = { pushEndpoint: new URL(`/${subscription.topic}`, urlOf(endpoint)).href };
    const status = await create("PUT", `subscriptions/${name}`, { ...subscription, pushConfig, ackDeadlineSeconds: 600, retryPolicy });
    if (status === CONFLICT) await create("POST", `subscriptions/${name}:modifyPushConfig`, { pushConfig });
  };
  const { attemptsMax: maxDeliveryAttempts, backoffSeconds } = LOCAL_REDELIVERY;
  const retryPolicy = { minimumBackoff: `${backoffSeconds.minimum}s`, maximumBackoff: `${backoffSeconds.maximum}s` };
  const deadLetters = `${topic}-dead-letter`;
  for (const created of [topic, deadLetters, measurementsTopic, landingsTopic]) await create("PUT", `topics/${created}`, {});
  await subscribe(`${topic}-run`, "aggregation-run", {
    topic: nameOf(topic),
    deadLetterPolicy: { deadLetterTopic: nameOf(deadLetters), maxDeliveryAttempts },
  });
  // No maximum of attempts: a dead letter is redelivered for a week until it is handled.
  await subscribe(`${deadLetters}-run`, "aggregation-dead-letter", { topic: nameOf(deadLetters) });
  await subscribe(`${measurementsTopic}-measure`, "realtime-measure", { topic: nameOf(measurementsTopic) });
  await subscribe(`${landingsTopic}-import`, "loading-import", { topic: nameOf(landingsTopic) });
}

/** Sends a request and returns its status: 200, or 409 for what exists already. Throws an Error with the answer for any other. */
async function call(method: string, url: string, body: object): Promise<number> {
  const response = await fetch(url, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const text = await response.text();
  if (response.status !== OK && response.status !== CONFLICT)
    throw new Error(`${method} ${new URL(url).pathname}: ${response.status} ${text}`);
  return response.status;
}
