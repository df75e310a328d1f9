import type { Clock } from "../tasks/wire/clock.ts";
import type { Lease } from "./consumer.ts";
import type { Subscription } from "./subscription.ts";

/** The maximum wait of a pull for its first message, milliseconds. */
const PATIENCE_MS = 90_000;

export interface PullOptions {
  readonly maxMessages: number;
  readonly returnImmediately: boolean;
  /** Aborted when the caller is gone: it then gets no messages. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Returns due messages, at most `maxMessages`. Waits if there are none. */
export function pull(subscription: Subscription, options: PullOptions): Promise<readonly Lease[]> {
  return new Promise((resolve) => {
    let open = true;
    let end = () => {};
    const finish = (leases: readonly Lease[]) => {
      open = false;
      end();
      resolve(leases);
    };
    const detach = subscription.attach({
      capacity: () => (open ? options.maxMessages : 0),
      ackDeadlineSeconds: () => subscription.config.ackDeadlineSeconds,
      deliver: finish,
      settled: () => {},
    });
    if (!open || options.returnImmediately || options.signal.aborted) {
      detach();
      if (open) finish([]);
      return;
    }
    const stopWaiting = () => finish([]);
    const cancelPatience = options.clock.at(options.clock.now() + PATIENCE_MS, stopWaiting);
    options.signal.addEventListener("abort", stopWaiting);
    end = () => {
      detach();
      cancelPatience();
      options.signal.removeEventListener("abort", stopWaiting);
    };
  });
}
