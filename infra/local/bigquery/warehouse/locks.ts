/** Exclusive locks by name, first come first served. Several names are taken in one order, so that nothing deadlocks. */
export class Locks {
  readonly #tails = new Map<string, Promise<void>>();

  /** Waits for all the names; the function it gives releases them. */
  async acquire(names: readonly string[]): Promise<() => void> {
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
}
