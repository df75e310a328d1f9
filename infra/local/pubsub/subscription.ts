import type { Clock } from "../tasks/wire/clock.ts";
import { Fifo } from "../tasks/wire/fifo.ts";
import { ackIdOf, checkAckIds } from "./ack-ids.ts";
import type { Consumer, Lease } from "./consumer.ts";
import type { Grant, InFlight } from "./in-flight.ts";
import type { Message, SubscriptionConfig } from "./model.ts";
import type { Persistence, RestoredMessage } from "./persistence.ts";
import { redeliveryDelay } from "./redelivery.ts";

export interface SubscriptionContext {
  readonly clock: Clock;
  /** Publishes a message to the subscription's dead-letter topic. Returns false if that is not possible. */
  deadLetter(config: SubscriptionConfig, message: Message, deliveries: number): boolean;
  /** Absent: in memory only. */
  readonly persistence: Persistence | undefined;
}

const nothing = () => {};

/** The messages of one subscription and their delivery. A due message leaves at once if a consumer has capacity. */
export class Subscription {
  config: SubscriptionConfig;
  readonly #context: SubscriptionContext;
  readonly #due = new Fifo<InFlight>();
  /** Messages behind the first one of their ordering key. */
  readonly #lanes = new Map<string, Fifo<InFlight>>();
  readonly #waiting = new Set<InFlight>();
  readonly #grants = new Map<string, Grant>();
  readonly #consumers = new Set<Consumer>();
  #ackIds: number;

  /** `former` are the messages before a restart. All of them are due again. */
  constructor(config: SubscriptionConfig, context: SubscriptionContext, former: readonly RestoredMessage[]) {
    this.config = config;
    this.#context = context;
    // Subscribers outlive this process: after a restart their old ack ids must not match new messages.
    this.#ackIds = Math.floor(context.clock.now()) * 100;
    for (const { message, deliveries } of former) this.#hold(message, deliveries);
  }

  add(messages: readonly Message[]): void {
    for (const message of messages) this.#hold(message, 0);
    this.pump();
  }

  /** Delivers messages to the consumer from now on. Returns a function that detaches it. */
  attach(consumer: Consumer): () => void {
    this.#consumers.add(consumer);
    this.pump();
    return () => this.#consumers.delete(consumer);
  }

  /** Delivers due messages as far as the consumers have capacity. */
  pump(): void {
    for (const consumer of this.#consumers) {
      const leases = this.#lease(consumer);
      if (leases.length > 0) consumer.deliver(leases);
    }
  }

  /** Acknowledges leases. Ended leases are ignored, as in Pub/Sub. Throws INVALID_ARGUMENT for an invalid ack id. */
  acknowledge(ackIds: readonly string[]): void {
    checkAckIds(this.config.name, ackIds);
    for (const ackId of ackIds) {
      const grant = this.#settle(ackId);
      if (grant) this.#finish(grant.held);
    }
    this.pump();
  }

  /** Sets the ack deadline from now, in seconds; 0 returns the messages. Ack ids as in `acknowledge`. */
  modifyAckDeadline(ackIds: readonly string[], seconds: number): void {
    checkAckIds(this.config.name, ackIds);
    for (const ackId of ackIds) {
      const grant = this.#grants.get(ackId);
      if (grant && seconds > 0) this.#arm(grant, seconds);
      else this.#giveBack(ackId);
    }
    this.pump();
  }

  /** Drops all messages and consumers. */
  close(): void {
    this.#consumers.clear();
    for (const held of this.#waiting) held.cancelTimer();
    for (const ackId of this.#grants.keys()) this.#settle(ackId);
    this.#waiting.clear();
    this.#lanes.clear();
    this.#due.clear();
  }

  #hold(message: Message, deliveries: number): void {
    const held: InFlight = { message, deliveries, cancelTimer: nothing };
    const lane = this.#laneOf(message);
    if (lane) {
      lane.push(held);
      return;
    }
    if (this.#isOrdered(message)) this.#lanes.set(message.orderingKey, new Fifo());
    this.#due.push(held);
  }

  #lease(consumer: Consumer): Lease[] {
    const leases: Lease[] = [];
    let room = consumer.capacity();
    while (room > 0) {
      const held = this.#due.shift();
      if (held === undefined) break;
      if (this.#isPastRetention(held.message)) {
        this.#finish(held);
        continue;
      }
      held.deliveries++;
      this.#context.persistence?.noteDelivery(this.config.name, held.message, held.deliveries);
      const lease = { ackId: ackIdOf(this.config.name, ++this.#ackIds), message: held.message, deliveryAttempt: held.deliveries };
      const grant: Grant = { lease, held, consumer, cancelTimer: nothing };
      this.#grants.set(lease.ackId, grant);
      this.#arm(grant, consumer.ackDeadlineSeconds());
      leases.push(lease);
      room--;
    }
    return leases;
  }

  #arm(grant: Grant, seconds: number): void {
    const { clock } = this.#context;
    grant.cancelTimer();
    grant.cancelTimer = clock.at(clock.now() + seconds * 1000, () => {
      this.#giveBack(grant.lease.ackId);
      this.pump();
    });
  }

  #settle(ackId: string): Grant | undefined {
    const grant = this.#grants.get(ackId);
    if (grant === undefined) return undefined;
    this.#grants.delete(ackId);
    grant.cancelTimer();
    grant.consumer.settled(grant.lease);
    return grant;
  }

  #giveBack(ackId: string): void {
    const held = this.#settle(ackId)?.held;
    if (held === undefined) return;
    const { clock, deadLetter } = this.#context;
    const { deadLetterPolicy } = this.config;
    if (
      deadLetterPolicy &&
      held.deliveries >= deadLetterPolicy.maxDeliveryAttempts &&
      deadLetter(this.config, held.message, held.deliveries)
    ) {
      this.#finish(held);
      return;
    }
    const delay = redeliveryDelay(this.config, held.deliveries);
    if (delay === 0) {
      this.#due.push(held);
      return;
    }
    this.#waiting.add(held);
    held.cancelTimer = clock.at(clock.now() + delay, () => {
      this.#waiting.delete(held);
      this.#due.push(held);
      this.pump();
    });
  }

  #finish(held: InFlight): void {
    this.#context.persistence?.noteEnd(this.config.name, held.message);
    const lane = this.#laneOf(held.message);
    if (lane === undefined) return;
    const next = lane.shift();
    if (next) this.#due.push(next);
    else this.#lanes.delete(held.message.orderingKey);
  }

  #isOrdered(message: Message): boolean {
    return this.config.enableMessageOrdering && message.orderingKey !== "";
  }

  #laneOf(message: Message): Fifo<InFlight> | undefined {
    return this.#isOrdered(message) ? this.#lanes.get(message.orderingKey) : undefined;
  }

  #isPastRetention(message: Message): boolean {
    return this.#context.clock.now() - message.publishTime > this.config.messageRetentionDuration;
  }
}
