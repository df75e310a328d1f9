import { contended } from "./refusal.ts";

/** The holder of locks: a transaction, or a single commit while it writes. */
export type LockOwner = object;

/** The keys of a request: those that it needs alone, and those that it shares with other requests that share them. */
interface LockRequest {
  readonly owner: LockOwner;
  readonly keys: readonly string[];
  readonly shared: readonly string[];
}

interface Waiter extends LockRequest {
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

interface Hold {
  readonly owners: Set<LockOwner>;
  readonly isShared: boolean;
}

/**
 * Exclusive and shared locks by key, first come, first served. A request gets all its keys at once and holds none of them while it waits. So
 * only owners that already hold locks can deadlock; the request that would close a cycle is refused with ABORTED.
 */
export class Locks {
  readonly #holds = new Map<string, Hold>();
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

  /** Resolves when the owner holds all keys, those in `shared` together with others. Rejects with ABORTED on a deadlock or after the timeout. */
  async acquire(owner: LockOwner, keys: readonly string[], shared: readonly string[] = []): Promise<void> {
    const request = { owner, keys, shared };
    if (this.#isFree(request, this.#waiters)) {
      this.#take(request);
      return;
    }
    if (this.#closesCircle(request)) throw contended();
    await new Promise<void>((granted, refused) => {
      this.#waiters.push({ ...request, since: performance.now(), granted, refused });
      this.#timer ??= setInterval(() => this.#look(), this.#limits.every).unref();
    });
  }

  /** Releases all locks of the owner and refuses its pending requests. */
  release(owner: LockOwner): void {
    for (const key of this.#held.get(owner) ?? []) {
      const hold = this.#holds.get(key);
      hold?.owners.delete(owner);
      if (hold?.owners.size === 0) this.#holds.delete(key);
    }
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

  /**
   * `earlier` are the requests that wait already. Who holds nothing does not share a key that one of them needs alone: there may always be
   * somebody who shares it. Who holds something might be waited for, so it would deadlock behind them.
   */
  #isFree(request: LockRequest, earlier: readonly LockRequest[]): boolean {
    if (this.#blockers(request).length > 0) return false;
    return this.#held.has(request.owner) || !earlier.some(({ keys }) => request.shared.some((key) => keys.includes(key)));
  }

  #blockers({ owner, keys, shared }: LockRequest): LockOwner[] {
    const blockers: LockOwner[] = [];
    for (const key of keys) for (const holder of this.#holds.get(key)?.owners ?? []) if (holder !== owner) blockers.push(holder);
    for (const key of shared) {
      const hold = this.#holds.get(key);
      if (hold && !hold.isShared) for (const holder of hold.owners) if (holder !== owner) blockers.push(holder);
    }
    return blockers;
  }

  #take({ owner, keys, shared }: LockRequest): void {
    const held = this.#held.get(owner) ?? new Set();
    this.#held.set(owner, held);
    for (const key of keys) this.#holds.set(key, { owners: new Set([owner]), isShared: false });
    for (const key of shared) {
      const hold = this.#holds.get(key);
      if (hold) hold.owners.add(owner);
      else this.#holds.set(key, { owners: new Set([owner]), isShared: true });
    }
    for (const key of [...keys, ...shared]) held.add(key);
  }

  #grant(): void {
    if (this.#waiters.length === 0) return;
    const still: Waiter[] = [];
    for (const waiter of this.#waiters) {
      if (this.#isFree(waiter, still)) {
        this.#take(waiter);
        waiter.granted();
      } else still.push(waiter);
    }
    this.#waiters = still;
    if (still.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #closesCircle(request: LockRequest): boolean {
    const { owner } = request;
    if (!this.#held.has(owner)) return false;
    const seen = new Set<LockOwner>();
    const open = this.#blockers(request);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === owner) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      for (const waiter of this.#waiters) if (waiter.owner === next) open.push(...this.#blockers(waiter));
    }
    return false;
  }

  /** Reports holders that others wait for. Refuses waiters that timed out, and cycles that a grant has closed. */
  #look(): void {
    for (const waiter of [...this.#waiters]) {
      for (const blocker of this.#blockers(waiter)) this.#waitedFor(blocker);
    }
    const late = performance.now() - this.#limits.waitMax;
    for (const waiter of [...this.#waiters]) {
      if (waiter.since > late && !this.#closesCircle(waiter)) continue;
      this.#waiters = this.#waiters.filter((other) => other !== waiter);
      waiter.refused(contended());
    }
    this.#grant();
  }
}
