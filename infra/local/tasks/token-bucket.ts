/** The rate limit of a queue (RateLimits in google/cloud/tasks/v2/queue.proto): full at the start, refilled continuously. */
export class TokenBucket {
  readonly #perMillisecond: number;
  readonly #capacity: number;
  #tokens: number;
  #refilledAt: number;

  constructor(perSecond: number, capacity: number, now: number) {
    this.#perMillisecond = perSecond / 1000;
    this.#capacity = capacity;
    this.#tokens = capacity;
    this.#refilledAt = now;
  }

  /** Takes a token, if there is one. Returns whether it did. */
  take(now: number): boolean {
    this.#tokens = Math.min(this.#capacity, this.#tokens + Math.max(now - this.#refilledAt, 0) * this.#perMillisecond);
    this.#refilledAt = now;
    // Sums of fractions fall short of 1 by a rounding error, and the timer would fire once too often.
    if (this.#tokens < 1 - 1e-9) return false;
    this.#tokens = Math.max(this.#tokens - 1, 0);
    return true;
  }

  /** Returns the time of the next token, as of the last `take`. */
  nextAt(): number {
    return this.#refilledAt + Math.max(1 - this.#tokens, 0) / this.#perMillisecond;
  }
}
