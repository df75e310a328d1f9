import type { Message } from "./model.ts";

/** A message leased until its ack deadline. */
export interface Lease {
  readonly ackId: string;
  readonly message: Message;
  /** Starts at 1. */
  readonly deliveryAttempt: number;
}

/** A consumer of a subscription's messages: a push endpoint, a waiting pull, a stream. */
export interface Consumer {
  /** The number of messages that it can take now. */
  capacity(): number;
  /** The time that it may hold a message. */
  ackDeadlineSeconds(): number;
  deliver(leases: readonly Lease[]): void;
  /** Called when a lease ends: acknowledged, returned or expired. */
  settled(lease: Lease): void;
}
