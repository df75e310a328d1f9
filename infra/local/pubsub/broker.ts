import { status } from "@grpc/grpc-js";
import { WriteFault } from "../persistence/faults.ts";
import type { Clock } from "../tasks/wire/clock.ts";
import { RpcError } from "../tasks/wire/rpc-error.ts";
import { DELETED_TOPIC, type Message, type SubscriptionConfig, type TopicConfig } from "./model.ts";
import type { Persistence, Restored, RestoredMessage } from "./persistence.ts";
import { PushConsumer, type PushContext } from "./push-consumer.ts";
import { deadLetterAttributes } from "./redelivery.ts";
import { alreadyExists, notFound } from "./resource-refusals.ts";
import { Subscription, type SubscriptionContext } from "./subscription.ts";

export interface BrokerContext extends PushContext {
  readonly clock: Clock;
  /** Every change is written here before it takes effect. Absent: in memory only. */
  readonly persistence?: Persistence | undefined;
}

/** The fields that a publisher sets. */
export type Draft = Pick<Message, "data" | "attributes" | "orderingKey">;

interface Topic {
  readonly config: TopicConfig;
  readonly subscriptions: Set<Subscription>;
}

interface Entry {
  readonly subscription: Subscription;
  stopPush: () => void;
}

/** All topics and subscriptions by their full names. */
export class Broker {
  readonly #context: BrokerContext;
  readonly #topics = new Map<string, Topic>();
  readonly #subscriptions = new Map<string, Entry>();
  #lastMessageId: number;

  /**
   * `former` is the state before a restart. Its subscriptions push again once they are configured: the processes at their former endpoints have
   * ended, and others may have got these ports.
   */
  constructor(context: BrokerContext, former: Restored = { lastMessageId: 0, topics: [], subscriptions: [] }) {
    this.#context = context;
    // Ids are never reused after a restart: clients that remember them would take new messages for old ones.
    this.#lastMessageId = Math.max(context.clock.now() * 1000, former.lastMessageId);
    for (const config of former.topics) this.#topics.set(config.name, { config, subscriptions: new Set() });
    for (const { config, messages } of former.subscriptions) this.#admit(config, messages);
  }

  /** Throws ALREADY_EXISTS. */
  createTopic(config: TopicConfig): TopicConfig {
    if (this.#topics.has(config.name)) throw alreadyExists(config.name);
    this.#context.persistence?.writeTopic(config);
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

  /** Its subscriptions remain, without a topic. Throws NOT_FOUND. */
  deleteTopic(name: string): void {
    const orphans = Array.from(this.#topic(name).subscriptions, (subscription) => ({
      subscription,
      config: { ...subscription.config, topic: DELETED_TOPIC },
    }));
    this.#context.persistence?.removeTopic(
      name,
      orphans.map(({ config }) => config),
    );
    for (const { subscription, config } of orphans) subscription.config = config;
    this.#topics.delete(name);
  }

  /** Returns the settings of a topic's subscriptions. Throws NOT_FOUND. */
  subscriptionsOf(topic: string): SubscriptionConfig[] {
    return Array.from(this.#topic(topic).subscriptions, ({ config }) => config);
  }

  /** Adds the messages to every subscription of the topic and returns their ids. Rejects with NOT_FOUND, or `WriteFault`. */
  async publish(topic: string, drafts: readonly Draft[]): Promise<string[]> {
    const { messages, subscriptions, add } = this.#publishing(topic, drafts);
    const { persistence } = this.#context;
    if (persistence) await persistence.writeMessages(messages, subscriptions, add);
    else add();
    return messages.map(({ messageId }) => messageId);
  }

  /** Throws ALREADY_EXISTS, and NOT_FOUND if the topic or the dead-letter topic does not exist. */
  createSubscription(config: SubscriptionConfig): Subscription {
    if (this.#subscriptions.has(config.name)) throw alreadyExists(config.name);
    this.#topic(config.topic);
    this.#checkDeadLetterTopic(config);
    this.#context.persistence?.writeSubscription(config);
    const entry = this.#admit(config, []);
    entry.stopPush = this.#startPush(entry.subscription);
    return entry.subscription;
  }

  /** Throws NOT_FOUND. */
  subscription(name: string): Subscription {
    return this.#entry(name).subscription;
  }

  /** Returns a pull subscription. Throws NOT_FOUND, and FAILED_PRECONDITION for a push subscription. */
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

  /** Changes a subscription's settings. Throws NOT_FOUND, also if the dead-letter topic does not exist. */
  configure(name: string, config: SubscriptionConfig): Subscription {
    const entry = this.#entry(name);
    this.#checkDeadLetterTopic(config);
    this.#context.persistence?.writeSubscription(config);
    entry.stopPush();
    entry.subscription.config = config;
    entry.stopPush = this.#startPush(entry.subscription);
    return entry.subscription;
  }

  /** Throws NOT_FOUND. */
  deleteSubscription(name: string): void {
    const { subscription } = this.#entry(name);
    this.#context.persistence?.removeSubscription(name);
    subscription.close();
    this.#subscriptions.delete(name);
    this.#topics.get(subscription.config.topic)?.subscriptions.delete(subscription);
  }

  /** Drops everything. Nothing is sent afterwards. */
  close(): void {
    for (const { subscription } of this.#subscriptions.values()) subscription.close();
  }

  #publishing(topic: string, drafts: readonly Draft[]) {
    const { subscriptions } = this.#topic(topic);
    const publishTime = this.#context.clock.now();
    const messages = drafts.map(({ data, attributes, orderingKey }) => {
      const messageId = String(++this.#lastMessageId);
      return { messageId, data, attributes, orderingKey, publishTime };
    });
    const add = () => {
      for (const subscription of subscriptions) subscription.add(messages);
    };
    return { messages, subscriptions: Array.from(subscriptions, ({ config }) => config.name), add };
  }

  /** Adds a subscription, which does not push yet. */
  #admit(config: SubscriptionConfig, messages: readonly RestoredMessage[]): Entry {
    const { clock, persistence } = this.#context;
    const deadLetter: SubscriptionContext["deadLetter"] = (source, message, deliveries) => this.#deadLetter(source, message, deliveries);
    const subscription = new Subscription(config, { clock, persistence, deadLetter }, messages);
    this.#topics.get(config.topic)?.subscriptions.add(subscription);
    const entry: Entry = { subscription, stopPush: () => {} };
    this.#subscriptions.set(config.name, entry);
    return entry;
  }

  #startPush(subscription: Subscription): () => void {
    const { pushConfig } = subscription.config;
    return pushConfig ? subscription.attach(new PushConsumer(subscription, pushConfig, this.#context)) : () => {};
  }

  #deadLetter({ name, deadLetterPolicy }: SubscriptionConfig, message: Message, deliveries: number): boolean {
    const topic = deadLetterPolicy?.deadLetterTopic;
    if (topic === undefined || !this.#topics.has(topic)) return false;
    try {
      const draft = { ...message, attributes: deadLetterAttributes(message, name, deliveries) };
      const { messages, subscriptions, add } = this.#publishing(topic, [draft]);
      this.#context.persistence?.writeMessagesNow(messages, subscriptions);
      add();
      return true;
    } catch (error) {
      // It is redelivered until there is space on the disk.
      if (error instanceof WriteFault) return false;
      throw error;
    }
  }

  #checkDeadLetterTopic({ deadLetterPolicy }: SubscriptionConfig): void {
    if (deadLetterPolicy) this.#topic(deadLetterPolicy.deadLetterTopic);
  }

  #topic(name: string): Topic {
    const topic = this.#topics.get(name);
    if (topic === undefined) throw notFound(name);
    return topic;
  }

  #entry(name: string): Entry {
    const entry = this.#subscriptions.get(name);
    if (entry === undefined) throw notFound(name);
    return entry;
  }
}
