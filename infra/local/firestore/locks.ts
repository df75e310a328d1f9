import { contended } from "./refusal.ts";

/** The holder of locks: a transaction, or a single commit while it writes. */
export type LockOwner = object;

interface Waiter {
  readonly owner: LockOwner;
  readonly keys: readonly string[];
  readonly since: number;
  readonly granted: () => void;
  readonly refused: (error: Error) => void;
}

export interface LockLimits {
  /** The maximum wait for a lock, milliseconds. Longer waits are refused with ABORTED. */
  readonly waitMax: number;
  /** The interval between checks of the waiters, milliseconds. */
  readonly every: number;
}

/**
 * Exclusive locks by key, first come, first served. A request gets all its keys at once and holds none of them while it waits. So only
 * owners that already hold locks can deadlock; the request that would close a cycle is refused with ABORTED.
 */
export class Locks {
  readonly #holders = new Map<string, LockOwner>();
  readonly #held = new Map<LockOwner, Set<string>>();
  #waiters: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #limits: LockLimits;
  readonly #waitedFor: (owner: LockOwner) => void;

  /** `waitedFor` is called repeatedly with each holder that others wait for. It may release the holder. */
  constructor(limits: LockLimits, waitedFor: (owner: LockOwner) => void) {
    this.#limits = limits;
    this.#waitedFor = waitedFor;
  }

  /** Resolves when the owner holds all keys. Rejects with ABORTED on a deadlock or after the timeout. */
  async acquire(owner: LockOwner, keys: readonly string[]): Promise<void> {
    if (this.#free(owner, keys)) {
      this.#take(owner, keys);
      return;
    }
    if (this.#closesCircle(owner, keys)) throw contended();
    await new Promise<void>((granted, refused) => {
      this.#waiters.push({ owner, keys, since: performance.now(), granted, refused });
      this.#timer ??= setInterval(() => this.#look(), this.#limits.every).unref();
    });
  }

  /** Releases all locks of the owner and refuses its pending requests. */
  release(owner: LockOwner): void {
    for (const key of this.#held.get(owner) ?? []) this.#holders.delete(key);
    this.#held.delete(owner);
    const own = this.#waiters.filter((waiter) => waiter.owner === owner);
    this.#waiters = this.#waiters.filter((waiter) => waiter.owner !== owner);
    for (const waiter of own) waiter.refused(contended());
    this.#grant();
  }

  /** Refuses all waiters and stops the timer. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const waiter of this.#waiters.splice(0)) waiter.refused(contended());
  }

  #free(owner: LockOwner, keys: readonly string[]): boolean {
    return this.#blockers(owner, keys).length === 0;
  }

  #blockers(owner: LockOwner, keys: readonly string[]): LockOwner[] {
    const blockers: LockOwner[] = [];
    for (const key of keys) {
      const holder = this.#holders.get(key);
      if (holder !== undefined && holder !== owner) blockers.push(holder);
    }
    return blockers;
  }

  #take(owner: LockOwner, keys: readonly string[]): void {
    const held = this.#held.get(owner) ?? new Set();
    this.#held.set(owner, held);
    for (const key of keys) {
      held.add(key);
      this.#holders.set(key, owner);
    }
  }

  #grant(): void {
    if (this.#waiters.length === 0) return;
    const still: Waiter[] = [];
    for (const waiter of this.#waiters) {
      if (this.#free(waiter.owner, waiter.keys)) {
        this.#take(waiter.owner, waiter.keys);
        waiter.granted();
      } else still.push(waiter);
    }
    this.#waiters = still;
    if (still.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #closesCircle(owner: LockOwner, keys: readonly string[]): boolean {
    if (!this.#held.has(owner)) return false;
    const seen = new Set<LockOwner>();
    const open = this.#blockers(owner, keys);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === owner) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      for (const waiter of this.#waiters) if (waiter.owner === next) open.push(...this.#blockers(next, waiter.keys));
    }
    return false;
  }

  /** Reports holders that others wait for. Refuses waiters that timed out, and cycles that a grant has closed. */
  #look(): void {
    for (const waiter of [...this.#waiters]) {
      for (const blocker of this.#blockers(waiter.owner, waiter.keys)) this.#waitedFor(blocker);
    }
    const late = performance.now() - this.#limits.waitMax;
    for (const waiter of [...this.#waiters]) {
      if (waiter.since > late && !this.#closesCircle(waiter.owner, waiter.keys)) continue;
      this.#waiters = this.#waiters.filter((other) => other !== waiter);
      waiter.refused(contended());
    }
    this.#grant();
  }
}
