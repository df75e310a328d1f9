import { randomBytes } from "node:crypto";
import { status } from "@grpc/grpc-js";
import { type LockOwner, Locks } from "./locks.ts";
import { expired, invalid, Refusal } from "./refusal.ts";
import type { Store, View } from "./store.ts";
import { type CommitClock, toMicros } from "./time.ts";
import type { Consistency, TransactionOptions } from "./wire.ts";

/** The timeouts of a transaction, milliseconds. */
export interface TransactionLimits {
  readonly ageMax: number;
  readonly idleMax: number;
  /** The idle timeout while another transaction waits for its locks. */
  readonly idleMaxContended: number;
  /** The idle timeout once the connection of its last request is closed. */
  readonly idleMaxOrphaned: number;
  /** The timeout of a request that waits for locks. */
  readonly lockWaitMax: number;
}

/** Age and idle limits as documented for the real service. The others are short, so a killed process soon loses its locks. */
export const TRANSACTION_LIMITS: TransactionLimits = {
  ageMax: 270_000,
  idleMax: 60_000,
  idleMaxContended: 10_000,
  idleMaxOrphaned: 1_000,
  lockWaitMax: 30_000,
};

export interface Transaction {
  readonly id: Buffer;
  readonly readOnly: boolean;
  /**
   * The time (microseconds) whose state the transaction sees; undefined for the current state, under locks. A read-write transaction that
   * lost its locks continues with the state of that moment, so its reads stay consistent, and can no longer write.
   */
  snapshot: number | undefined;
  readonly begun: number;
  touched: number;
  requests: number;
  peer: string;
  orphaned: boolean;
  /** Its commit is under way: for other requests it has ended. */
  committing: boolean;
}

/** The state that a read sees, and the metadata of its first response. */
export interface Reading {
  readonly view: View;
  readonly readTime: number;
  /** Set if the request started a transaction. */
  readonly begun: Buffer | undefined;
}

/** The open transactions of one database: pessimistic locks for read-write ones, snapshots for read-only ones. */
export class Transactions {
  readonly locks: Locks;
  readonly #open = new Map<string, Transaction>();
  readonly #store: Store;
  readonly #clock: CommitClock;
  readonly #limits: TransactionLimits;

  constructor(store: Store, clock: CommitClock, limits: TransactionLimits) {
    this.#store = store;
    this.#clock = clock;
    this.#limits = limits;
    this.locks = new Locks({ waitMax: limits.lockWaitMax, every: 50 }, (owner) => this.#releaseIfAbandoned(owner));
  }

  /** Opens a transaction. Throws INVALID_ARGUMENT for a read time in the future and FAILED_PRECONDITION for a discarded one. */
  begin(options: TransactionOptions | null | undefined, peer: string): Transaction {
    this.#dropExpired();
    const readOnly = options?.readOnly;
    const snapshot = readOnly === undefined ? undefined : this.#snapshotTime(readOnly.readTime && toMicros(readOnly.readTime));
    const now = performance.now();
    const id = randomBytes(16);
    const transaction = {
      id,
      readOnly: snapshot !== undefined,
      snapshot,
      begun: now,
      touched: now,
      requests: 0,
      peer,
      orphaned: false,
      committing: false,
    };
    this.#open.set(transaction.id.toString("latin1"), transaction);
    if (snapshot !== undefined) this.#store.pin(transaction, snapshot);
    return transaction;
  }

  /** Runs a request of an open transaction. Throws INVALID_ARGUMENT if it is unknown, finished or expired. */
  async within<T>(id: Buffer, peer: string, request: (transaction: Transaction) => T | Promise<T>): Promise<T> {
    const transaction = this.#open.get(id.toString("latin1"));
    if (transaction === undefined || transaction.committing) throw expired();
    if (this.#isExpired(transaction)) {
      this.end(transaction);
      throw expired();
    }
    transaction.requests += 1;
    transaction.peer = peer;
    transaction.orphaned = false;
    try {
      return await request(transaction);
    } finally {
      transaction.requests -= 1;
      transaction.touched = performance.now();
    }
  }

  /** Runs a read. A read-write transaction acquires the locks first, so the data stays unchanged until the commit. */
  async read<T>(consistency: Consistency, peer: string, lockKeys: readonly string[], read: (reading: Reading) => T): Promise<T> {
    const { transaction: id, newTransaction, readTime } = consistency;
    if (newTransaction === undefined && (id === undefined || id.length === 0)) {
      return read(this.#reading(readTime && this.#snapshotTime(toMicros(readTime)), undefined));
    }
    const begun = newTransaction === undefined ? undefined : this.begin(newTransaction, peer).id;
    return this.within(begun ?? id ?? Buffer.alloc(0), peer, async (transaction) => {
      await this.lock(transaction, lockKeys);
      return read(this.#reading(transaction.snapshot, begun));
    });
  }

  /**
   * Acquires locks for a transaction on the current state. If they are refused, the transaction releases all its locks. The client learns
   * of it at the commit, because it would retry a refused read for seconds.
   */
  async lock(transaction: Transaction, keys: readonly string[], shared: readonly string[] = []): Promise<void> {
    if (transaction.snapshot !== undefined) return;
    try {
      await this.locks.acquire(transaction, keys, shared);
    } catch {
      // One that has ended meanwhile reads no more: a pin of its state would never be removed.
      if (this.#isOpen(transaction)) this.#releaseLocks(transaction);
    }
    if (this.#isOpen(transaction)) return;
    this.locks.release(transaction);
    throw expired();
  }

  /** Removes a transaction and releases its locks. */
  end(transaction: Transaction): void {
    this.#open.delete(transaction.id.toString("latin1"));
    this.#store.unpin(transaction);
    this.locks.release(transaction);
  }

  endAll(): void {
    for (const transaction of [...this.#open.values()]) this.end(transaction);
  }

  /** Ends all transactions and refuses all waiters. */
  close(): void {
    this.endAll();
    this.locks.close();
  }

  /** Marks the transactions of a closed connection: their process may be dead. */
  peerGone(peer: string): void {
    for (const transaction of this.#open.values()) if (transaction.peer === peer) transaction.orphaned = true;
  }

  #reading(snapshot: number | undefined, begun: Buffer | undefined): Reading {
    return { view: snapshot === undefined ? this.#store : this.#viewAt(snapshot), readTime: snapshot ?? this.#clock.readTime(), begun };
  }

  #releaseLocks(transaction: Transaction): void {
    if (transaction.snapshot !== undefined) return;
    transaction.snapshot = this.#clock.readTime();
    this.#store.pin(transaction, transaction.snapshot);
    this.locks.release(transaction);
  }

  #snapshotTime(asked: number | undefined): number {
    const now = this.#clock.readTime();
    if (asked === undefined) return now;
    if (asked > now) throw invalid("The requested 'read_time' cannot be in the future.");
    this.#viewAt(asked);
    return asked;
  }

  #viewAt(time: number): View {
    const view = this.#store.at(time);
    if (view === undefined) throw tooOld();
    return view;
  }

  #isOpen({ id }: Transaction): boolean {
    return this.#open.has(id.toString("latin1"));
  }

  #isExpired(transaction: Transaction): boolean {
    if (transaction.requests > 0) return false;
    const now = performance.now();
    return now - transaction.touched > this.#limits.idleMax || now - transaction.begun > this.#limits.ageMax;
  }

  #releaseIfAbandoned(owner: LockOwner): void {
    for (const transaction of this.#open.values()) {
      if (transaction !== owner || transaction.requests > 0) continue;
      const idleMax = transaction.orphaned ? this.#limits.idleMaxOrphaned : this.#limits.idleMaxContended;
      if (performance.now() - transaction.touched > idleMax) this.#releaseLocks(transaction);
    }
  }

  /** Transactions are in order of age. The search stops at the first live one, so `begin` stays cheap. */
  #dropExpired(): void {
    for (const transaction of this.#open.values()) {
      if (!this.#isExpired(transaction)) return;
      this.end(transaction);
    }
  }
}

const tooOld = () => new Refusal(status.FAILED_PRECONDITION, "The requested 'read_time' is too old.");
