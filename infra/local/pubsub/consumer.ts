import type { Message } from "./model.ts";

/** A message handed out until its ack deadline. */
export interface Lease {
  readonly ackId: string;
  readonly message: Message;
  /** From 1. */
  readonly deliveryAttempt: number;
}

/** Whoever takes messages of a subscription: a push endpoint, a waiting pull, a stream. */
export interface Consumer {
  /** How many messages it takes now. */
  capacity(): number;
  /** How long it may hold a message. */
  ackDeadlineSeconds(): number;
  deliver(leases: readonly Lease[]): void;
  /** The lease is over: acknowledged, given back or out of time. */
  settled(lease: Lease): void;
}
