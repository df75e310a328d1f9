/** Exclusive locks by name, in FIFO order. Several names are acquired in a fixed order, so that no deadlock occurs. */
export class Locks {
  readonly #tails = new Map<string, Promise<void>>();
  readonly #claimed = new Set<string>();

  /** Waits for all the names, and holds them while it runs the work. Returns what the work returns. */
  async holding<Result>(names: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const release = await this.#acquire(names);
    try {
      return await work();
    } finally {
      release();
    }
  }

  async #acquire(names: readonly string[]): Promise<() => void> {
    const releases: (() => void)[] = [];
    for (const name of [...new Set(names)].sort()) {
      const before = this.#tails.get(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#tails.set(name, promise);
      releases.push(() => {
        if (this.#tails.get(name) === promise) this.#tails.delete(name);
        resolve();
      });
      await before;
    }
    return () => {
      for (const release of releases) release();
    };
  }

  /**
   * Claims all the names at once, without waiting: claims exclude each other, not locks. Returns a function that gives them back, or the
   * first name that is claimed already.
   */
  claim(names: readonly string[]): (() => void) | string {
    const claimed = new Set(names);
    for (const name of claimed) if (this.#claimed.has(name)) return name;
    for (const name of claimed) this.#claimed.add(name);
    return () => {
      for (const name of claimed) this.#claimed.delete(name);
    };
  }
}
