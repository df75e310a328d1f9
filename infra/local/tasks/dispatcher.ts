import { messageOf } from "../../../shared/runtime/error-message.ts";
import { attemptRequest } from "./attempt.ts";
import type { Task } from "./model.ts";
import type { Clock } from "./wire/clock.ts";
import type { HttpOutcome, HttpSender } from "./wire/http-sender.ts";
import type { TokenCache } from "./wire/token-cache.ts";

export interface DispatchContext {
  readonly clock: Clock;
  readonly sender: HttpSender;
  readonly tokens: TokenCache | undefined;
}

/** Sends tasks, each with its own deadline. */
export class Dispatcher {
  readonly #context: DispatchContext;
  readonly #aborts = new Set<() => void>();

  constructor(context: DispatchContext) {
    this.#context = context;
  }

  /** Never rejects: a request that could not be sent counts as unanswered. */
  async send(task: Task): Promise<HttpOutcome> {
    const { clock, sender, tokens } = this.#context;
    try {
      const sending = sender.send(attemptRequest(task, tokens));
      let late = false;
      const cancelDeadline = clock.at(clock.now() + task.dispatchDeadline, () => {
        late = true;
        sending.abort();
      });
      this.#aborts.add(sending.abort);
      const outcome = await sending.outcome;
      this.#aborts.delete(sending.abort);
      cancelDeadline();
      return late ? { kind: "unanswered", reason: "The worker did not respond by the dispatch deadline." } : outcome;
    } catch (error) {
      return { kind: "unanswered", reason: messageOf(error) };
    }
  }

  abortAll(): void {
    for (const abort of this.#aborts) abort();
  }
}
