import { type CreateSubscriptionOptions, type Message, PubSub, type Subscription, type Topic } from "@google-cloud/pubsub";
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import type { LocalServer } from "../../../local/server.ts";
import { type RecordingTarget, startRecordingTarget } from "../../engines/recording-target.ts";

export const PROJECT = "demo-local";

vi.stubEnv("METADATA_SERVER_DETECTION", "none");

/** The environment of a test: a real client of a running engine, and a topic and a push target of its own. */
export interface Engine {
  readonly pubsub: PubSub;
  readonly topic: Topic;
  readonly target: RecordingTarget;
  newName(kind: string): string;
  /** Subscribes to the topic, or to another one, until the end of the test. */
  subscribe(options?: CreateSubscriptionOptions, to?: Topic): Promise<Subscription>;
  subscribePush(options?: CreateSubscriptionOptions): Promise<Subscription>;
  /** Returns the next messages of a subscription, acknowledged or returned by `answer`. */
  messages(subscription: Subscription, count: number, answer?: (message: Message) => void): Promise<Message[]>;
  /** Calls the REST API. The path is relative to the project. */
  rest(method: string, path: string, body?: object): Promise<Response>;
}

/** The engine of the surrounding tests: started before the first and closed after the last. */
export function engineOfTests(start: (options: { readonly project: string }) => Promise<LocalServer>): Engine {
  let server: LocalServer;
  let pubsub: PubSub;
  let target: RecordingTarget;
  let topic: Topic;
  let subscriptions: Subscription[];
  let names = 0;

  const newName = (kind: string) => `${kind}-${++names}`;

  async function subscribe(options: CreateSubscriptionOptions = {}, to = topic): Promise<Subscription> {
    const [subscription] = await to.createSubscription(newName("subscription"), options);
    subscriptions.push(subscription);
    return subscription;
  }

  beforeAll(async () => {
    server = await start({ project: PROJECT });
    vi.stubEnv("PUBSUB_EMULATOR_HOST", server.address);
    pubsub = new PubSub({ projectId: PROJECT });
  });

  afterAll(async () => {
    await pubsub.close();
    await server.close();
  });

  beforeEach(async () => {
    subscriptions = [];
    target = await startRecordingTarget();
    [topic] = await pubsub.createTopic(newName("topic"));
  });

  afterEach(async () => {
    for (const subscription of subscriptions) {
      await subscription.close();
      await subscription.delete();
    }
    await target.close();
  });

  return {
    get pubsub() {
      return pubsub;
    },
    get topic() {
      return topic;
    },
    get target() {
      return target;
    },
    newName,
    subscribe,
    subscribePush: (options) => subscribe({ pushConfig: { pushEndpoint: `${target.url}/push` }, ...options }),
    messages: nextMessages,
    rest: (method, path, body) =>
      fetch(`http://${server.address}/v1/projects/${PROJECT}/${path}`, {
        method,
        ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      }),
  };
}

function nextMessages(subscription: Subscription, count: number, answer = (message: Message) => message.ack()): Promise<Message[]> {
  return new Promise((resolve, reject) => {
    const received: Message[] = [];
    subscription.on("error", reject);
    subscription.on("message", (message) => {
      received.push(message);
      answer(message);
      if (received.length === count) resolve(received);
    });
  });
}
