import { status } from "@grpc/grpc-js";
import type { Clock } from "../tasks/wire/clock.ts";
import { RpcError } from "../tasks/wire/rpc-error.ts";
import { DELETED_TOPIC, type Message, type SubscriptionConfig, type TopicConfig } from "./model.ts";
import { idOf } from "./names.ts";
import { PushConsumer, type PushContext } from "./push-consumer.ts";
import { deadLetterAttributes } from "./redelivery.ts";
import { Subscription } from "./subscription.ts";

export interface BrokerContext extends PushContext {
  readonly clock: Clock;
}

/** What a publisher gives. */
export type Draft = Pick<Message, "data" | "attributes" | "orderingKey">;

interface Topic {
  readonly config: TopicConfig;
  readonly subscriptions: Set<Subscription>;
}

/** All topics and subscriptions by their full names. */
export class Broker {
  readonly #context: BrokerContext;
  readonly #topics = new Map<string, Topic>();
  readonly #subscriptions = new Map<string, { subscription: Subscription; stopPush: () => void }>();
  #lastMessageId: number;

  constructor(context: BrokerContext) {
    this.#context = context;
    // Ids are not given again after a restart: whoever remembers them would take new messages for old.
    this.#lastMessageId = context.clock.now() * 1000;
  }

  /** Throws ALREADY_EXISTS. */
  createTopic(config: TopicConfig): TopicConfig {
    if (this.#topics.has(config.name)) throw alreadyExists(config.name);
    this.#topics.set(config.name, { config, subscriptions: new Set() });
    return config;
  }

  /** Throws NOT_FOUND. */
  topic(name: string): TopicConfig {
    return this.#topic(name).config;
  }

  topics(project: string): TopicConfig[] {
    return Array.from(this.#topics.values(), ({ config }) => config).filter(({ name }) => name.startsWith(`${project}/`));
  }

  /** Its subscriptions stay, without a topic. Throws NOT_FOUND. */
  deleteTopic(name: string): void {
    for (const subscription of this.#topic(name).subscriptions) subscription.config = { ...subscription.config, topic: DELETED_TOPIC };
    this.#topics.delete(name);
  }

  /** The settings of a topic's subscriptions. Throws NOT_FOUND. */
  subscriptionsOf(topic: string): SubscriptionConfig[] {
    return Array.from(this.#topic(topic).subscriptions, ({ config }) => config);
  }

  /** Hands the messages to every subscription of the topic; gives their ids. Throws NOT_FOUND. */
  publish(topic: string, drafts: readonly Draft[]): string[] {
    const { subscriptions } = this.#topic(topic);
    const publishTime = this.#context.clock.now();
    const messages = drafts.map(({ data, attributes, orderingKey }) => {
      const messageId = String(++this.#lastMessageId);
      return { messageId, data, attributes, orderingKey, publishTime };
    });
    for (const subscription of subscriptions) subscription.add(messages);
    return messages.map(({ messageId }) => messageId);
  }

  /** Throws ALREADY_EXISTS, and NOT_FOUND where the topic or the dead-letter topic is not there. */
  createSubscription(config: SubscriptionConfig): Subscription {
    if (this.#subscriptions.has(config.name)) throw alreadyExists(config.name);
    const topic = this.#topic(config.topic);
    this.#checkDeadLetterTopic(config);
    const subscription = new Subscription(config, {
      clock: this.#context.clock,
      deadLetter: (source, message, deliveries) => this.#deadLetter(source, message, deliveries),
    });
    topic.subscriptions.add(subscription);
    this.#subscriptions.set(config.name, { subscription, stopPush: this.#startPush(subscription) });
    return subscription;
  }

  /** Throws NOT_FOUND. */
  subscription(name: string): Subscription {
    return this.#entry(name).subscription;
  }

  /** One to pull from. Throws NOT_FOUND, and FAILED_PRECONDITION for one that pushes. */
  pulledSubscription(name: string): Subscription {
    const subscription = this.subscription(name);
    if (subscription.config.pushConfig === undefined) return subscription;
    throw new RpcError(status.FAILED_PRECONDITION, "This method is not supported for this subscription type.");
  }

  subscriptions(project: string): SubscriptionConfig[] {
    return Array.from(this.#subscriptions.values(), ({ subscription }) => subscription.config).filter(({ name }) =>
      name.startsWith(`${project}/`),
    );
  }

  /** Changes its settings. Throws NOT_FOUND also where the dead-letter topic is not there. */
  configure(name: string, config: SubscriptionConfig): Subscription {
    const entry = this.#entry(name);
    this.#checkDeadLetterTopic(config);
    entry.stopPush();
    entry.subscription.config = config;
    entry.stopPush = this.#startPush(entry.subscription);
    return entry.subscription;
  }

  /** Throws NOT_FOUND. */
  deleteSubscription(name: string): void {
    const { subscription } = this.#entry(name);
    subscription.close();
    this.#subscriptions.delete(name);
    this.#topics.get(subscription.config.topic)?.subscriptions.delete(subscription);
  }

  /** Drops everything; nothing is sent afterwards. */
  close(): void {
    for (const { subscription } of this.#subscriptions.values()) subscription.close();
  }

  #startPush(subscription: Subscription): () => void {
    const { pushConfig } = subscription.config;
    return pushConfig ? subscription.attach(new PushConsumer(subscription, pushConfig, this.#context)) : () => {};
  }

  #deadLetter({ name, deadLetterPolicy }: SubscriptionConfig, message: Message, deliveries: number): boolean {
    const topic = deadLetterPolicy?.deadLetterTopic;
    if (topic === undefined || !this.#topics.has(topic)) return false;
    this.publish(topic, [{ ...message, attributes: deadLetterAttributes(message, name, deliveries) }]);
    return true;
  }

  #checkDeadLetterTopic({ deadLetterPolicy }: SubscriptionConfig): void {
    if (deadLetterPolicy) this.#topic(deadLetterPolicy.deadLetterTopic);
  }

  #topic(name: string): Topic {
    const topic = this.#topics.get(name);
    if (topic === undefined) throw notFound(name);
    return topic;
  }

  #entry(name: string): { subscription: Subscription; stopPush: () => void } {
    const entry = this.#subscriptions.get(name);
    if (entry === undefined) throw notFound(name);
    return entry;
  }
}

function notFound(name: string): RpcError {
  return new RpcError(status.NOT_FOUND, `Resource not found (resource=${idOf(name)}).`);
}

function alreadyExists(name: string): RpcError {
  return new RpcError(status.ALREADY_EXISTS, `Resource already exists in the project (resource=${idOf(name)}).`);
}
