import { openStateDatabase, type StateDatabase } from "../persistence/state-database.ts";
import { fromValue, toValue } from "../persistence/values.ts";
import type { Message, SubscriptionConfig, TopicConfig } from "./model.ts";
import { storedMessage, storedSubscription, storedTopic } from "./persistence-forms.ts";

/** A restored message of a subscription and its number of deliveries. */
export interface RestoredMessage {
  readonly message: Message;
  readonly deliveries: number;
}

/** The state of a folder when it was opened. */
export interface Restored {
  readonly lastMessageId: number;
  readonly topics: readonly TopicConfig[];
  /** Each with its messages in publishing order. */
  readonly subscriptions: readonly { readonly config: SubscriptionConfig; readonly messages: readonly RestoredMessage[] }[];
}

const LAST_ID = "last message id";
const topicKey = (name: string): string => `topic ${name}`;
const subscriptionKey = (name: string): string => `subscription ${name}`;
const messageKey = (subscription: string, id: string): string => `message ${subscription} ${id}`;
const deliveriesKey = (subscription: string, id: string): string => `deliveries ${subscription} ${id}`;

/**
 * The stored topics, subscriptions and messages. The `write` and `remove` methods throw `WriteFault`; the caller applies a change only after
 * they return. A change of the `note` methods may be lost, which a subscriber sees as a redelivery.
 */
export class Persistence {
  readonly #database: StateDatabase;
  /** The message ids of each subscription. */
  readonly #held = new Map<string, Set<string>>();

  private constructor(database: StateDatabase) {
    this.#database = database;
  }

  /** Throws a one-line error if the folder cannot be read completely. */
  static open(directory: string): { readonly persistence: Persistence; readonly former: Restored } {
    const { database, entries } = openStateDatabase({ directory, product: "pubsub" });
    const persistence = new Persistence(database);
    const topics: TopicConfig[] = [];
    const subscriptions = new Map<string, { config: SubscriptionConfig; messages: RestoredMessage[] }>();
    for (const [key, bytes] of entries) {
      if (key.startsWith("topic ")) topics.push(fromValue(storedTopic, bytes));
      if (key.startsWith("subscription "))
        subscriptions.set(key.slice("subscription ".length), { config: fromValue(storedSubscription, bytes), messages: [] });
    }
    for (const [key, bytes] of entries) {
      const [kind, subscription = "", id = ""] = key.split(" ");
      if (kind !== "message") continue;
      const deliveries = Number(entries.get(deliveriesKey(subscription, id)) ?? 0);
      subscriptions.get(subscription)?.messages.push({ message: fromValue(storedMessage, bytes), deliveries });
      persistence.#ids(subscription).add(id);
    }
    for (const { messages } of subscriptions.values()) messages.sort((a, b) => Number(a.message.messageId) - Number(b.message.messageId));
    const lastMessageId = Number(entries.get(LAST_ID) ?? 0);
    return { persistence, former: { lastMessageId, topics, subscriptions: [...subscriptions.values()] } };
  }

  writeTopic(config: TopicConfig): void {
    this.#database.commitNow(new Map([[topicKey(config.name), toValue(config)]]));
  }

  /** Removes a topic. `orphans` are its subscriptions without the topic. */
  removeTopic(name: string, orphans: readonly SubscriptionConfig[]): void {
    const left = orphans.map((config): [string, Uint8Array] => [subscriptionKey(config.name), toValue(config)]);
    this.#database.commitNow(new Map<string, Uint8Array | undefined>([[topicKey(name), undefined], ...left]));
  }

  writeSubscription(config: SubscriptionConfig): void {
    this.#database.commitNow(new Map([[subscriptionKey(config.name), toValue(config)]]));
  }

  /** Removes a subscription and its messages. */
  removeSubscription(name: string): void {
    // Messages that are being published belong to it too.
    this.#database.flush();
    const ids = [...this.#ids(name)];
    this.#database.commitNow(new Map([[subscriptionKey(name), undefined], ...ids.flatMap((id) => endOf(name, id))]));
    this.#held.delete(name);
  }

  /**
   * Writes messages for all subscriptions of a topic, together with those of other calls in this turn of the event loop, and calls `apply`.
   * The last message has the highest id so far. Rejects with `WriteFault`; then `apply` is not called.
   */
  writeMessages(messages: readonly Message[], subscriptions: readonly string[], apply: () => void): Promise<void> {
    return this.#database.commit(() => ({
      changes: messageChanges(messages, subscriptions),
      apply: () => {
        this.#hold(messages, subscriptions);
        apply();
      },
    }));
  }

  /** Writes messages as `writeMessages` does, but by themselves and at once. */
  writeMessagesNow(messages: readonly Message[], subscriptions: readonly string[]): void {
    this.#database.commitNow(messageChanges(messages, subscriptions));
    this.#hold(messages, subscriptions);
  }

  noteDelivery(subscription: string, { messageId }: Message, deliveries: number): void {
    this.#database.note(new Map([[deliveriesKey(subscription, messageId), Buffer.from(String(deliveries))]]));
  }

  /** Notes that a subscription is finished with a message. */
  noteEnd(subscription: string, { messageId }: Message): void {
    this.#ids(subscription).delete(messageId);
    this.#database.note(new Map(endOf(subscription, messageId)));
  }

  close(): void {
    this.#database.close();
  }

  #hold(messages: readonly Message[], subscriptions: readonly string[]): void {
    for (const name of subscriptions) for (const { messageId } of messages) this.#ids(name).add(messageId);
  }

  #ids(subscription: string): Set<string> {
    const ids = this.#held.get(subscription) ?? new Set();
    this.#held.set(subscription, ids);
    return ids;
  }
}

function messageChanges(messages: readonly Message[], subscriptions: readonly string[]): Map<string, Uint8Array> {
  const changes = new Map<string, Uint8Array>();
  for (const message of messages) {
    const value = toValue(message);
    changes.set(LAST_ID, Buffer.from(message.messageId));
    for (const name of subscriptions) changes.set(messageKey(name, message.messageId), value);
  }
  return changes;
}

function endOf(subscription: string, id: string): [string, undefined][] {
  return [
    [messageKey(subscription, id), undefined],
    [deliveriesKey(subscription, id), undefined],
  ];
}
