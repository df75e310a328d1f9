import { status } from "@grpc/grpc-js";
import type { Clock } from "../tasks/wire/clock.ts";
import { Fifo } from "../tasks/wire/fifo.ts";
import { RpcError } from "../tasks/wire/rpc-error.ts";
import type { Consumer, Lease } from "./consumer.ts";
import type { Message, SubscriptionConfig } from "./model.ts";
import { redeliveryDelay } from "./redelivery.ts";

export interface SubscriptionContext {
  readonly clock: Clock;
  /** Sends a message to the subscription's dead-letter topic; false when it is not there. */
  deadLetter(config: SubscriptionConfig, message: Message, deliveries: number): boolean;
}

/** A message until it is acknowledged. */
interface Held {
  readonly message: Message;
  deliveries: number;
  cancelTimer: () => void;
}

interface Grant {
  readonly lease: Lease;
  readonly held: Held;
  readonly consumer: Consumer;
  cancelTimer: () => void;
}

const nothing = () => {};

/** The messages of one subscription and who gets them when. A due message leaves at once where a consumer has room. */
export class Subscription {
  config: SubscriptionConfig;
  readonly #context: SubscriptionContext;
  readonly #due = new Fifo<Held>();
  /** Messages behind the first of their ordering key. */
  readonly #lanes = new Map<string, Fifo<Held>>();
  readonly #waiting = new Set<Held>();
  readonly #grants = new Map<string, Grant>();
  readonly #consumers = new Set<Consumer>();
  #ackIds = 0;

  constructor(config: SubscriptionConfig, context: SubscriptionContext) {
    this.config = config;
    this.#context = context;
  }

  add(messages: readonly Message[]): void {
    for (const message of messages) {
      const held: Held = { message, deliveries: 0, cancelTimer: nothing };
      const lane = this.#laneOf(message);
      if (lane) lane.push(held);
      else {
        if (this.#isOrdered(message)) this.#lanes.set(message.orderingKey, new Fifo());
        this.#due.push(held);
      }
    }
    this.pump();
  }

  /** Hands messages to the consumer from now on. Gives a function that stops it. */
  attach(consumer: Consumer): () => void {
    this.#consumers.add(consumer);
    this.pump();
    return () => this.#consumers.delete(consumer);
  }

  /** Hands out what is due as far as there is room for it. */
  pump(): void {
    for (const consumer of this.#consumers) {
      const leases = this.#lease(consumer);
      if (leases.length > 0) consumer.deliver(leases);
    }
  }

  /** Leases that are over are ignored, as Pub/Sub does. Throws INVALID_ARGUMENT for what was never an ack id. */
  acknowledge(ackIds: readonly string[]): void {
    this.#checkAckIds(ackIds);
    for (const ackId of ackIds) {
      const grant = this.#settle(ackId);
      if (grant) this.#finish(grant.held);
    }
    this.pump();
  }

  /** Sets the ack deadline from now, in seconds; 0 gives the messages back. Ack ids as in `acknowledge`. */
  modifyAckDeadline(ackIds: readonly string[], seconds: number): void {
    this.#checkAckIds(ackIds);
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
      const lease = { ackId: `${this.config.name}:${++this.#ackIds}`, message: held.message, deliveryAttempt: held.deliveries };
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

  #finish(held: Held): void {
    const lane = this.#laneOf(held.message);
    if (lane === undefined) return;
    const next = lane.shift();
    if (next) this.#due.push(next);
    else this.#lanes.delete(held.message.orderingKey);
  }

  #isOrdered(message: Message): boolean {
    return this.config.enableMessageOrdering && message.orderingKey !== "";
  }

  #laneOf(message: Message): Fifo<Held> | undefined {
    return this.#isOrdered(message) ? this.#lanes.get(message.orderingKey) : undefined;
  }

  #isPastRetention(message: Message): boolean {
    return this.#context.clock.now() - message.publishTime > this.config.messageRetentionDuration;
  }

  #checkAckIds(ackIds: readonly string[]): void {
    const prefix = `${this.config.name}:`;
    for (const ackId of ackIds)
      if (!ackId.startsWith(prefix) || !/^\d{1,15}$/.test(ackId.slice(prefix.length)))
        throw new RpcError(status.INVALID_ARGUMENT, `You have passed an invalid ack ID to the service (ack_id=${ackId}).`);
  }
}
