import type { Consumer, Lease } from "./consumer.ts";
import type { Message } from "./model.ts";

/** A message until it is acknowledged. */
export interface InFlight {
  readonly message: Message;
  deliveries: number;
  cancelTimer: () => void;
}

/** A leased message and its consumer. */
export interface Grant {
  readonly lease: Lease;
  readonly held: InFlight;
  readonly consumer: Consumer;
  cancelTimer: () => void;
}
