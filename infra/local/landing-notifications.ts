import { setTimeout as wait } from "node:timers/promises";
import type { NotificationMessage } from "./storage/notification.ts";

const OK = 200;
const AGAIN_MS = 200;

/**
 * Publishes the notifications of the landing bucket, as the service agent of Cloud Storage does: each at least once, in the order of their objects, and
 * again while the topic does not take it. A notification that is not published when the process ends is lost.
 */
export class LandingNotifications {
  readonly #topic: string;
  #url: Promise<string>;
  #found: (url: string) => void = () => undefined;
  #sent: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** `topic`: its full name. */
  constructor(topic: string) {
    this.#topic = topic;
    this.#url = new Promise((resolve) => {
      this.#found = resolve;
    });
  }

  /** Begins to publish. `pubsub` is the address of Pub/Sub, `127.0.0.1:port`. */
  connect(pubsub: string): void {
    this.#found(`http://${pubsub}/v1/${this.#topic}:publish`);
  }

  readonly notify = (message: NotificationMessage): void => {
    this.#sent = this.#sent.then(() => this.#send(message));
  };

  close(): void {
    this.#isClosed = true;
  }

  async #send(message: NotificationMessage): Promise<void> {
    const url = await this.#url;
    const body = JSON.stringify({ messages: [message] });
    while (!this.#isClosed) {
      const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body }).catch(() => undefined);
      await response?.arrayBuffer();
      if (response?.status === OK) return;
      await wait(AGAIN_MS, undefined, { ref: false });
    }
  }
}
