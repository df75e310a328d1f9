import { WriteFault } from "../persistence/faults.ts";
import type { CompositeIndex } from "./composite-index.ts";
import type { Changes, StoredDocument } from "./document.ts";
import type { Persistence } from "./persistence.ts";
import type { Plan } from "./plan.ts";
import { asRefusal, contended, invalid } from "./refusal.ts";
import { Store } from "./store.ts";
import { CommitClock, toWire } from "./time.ts";
import { type TransactionLimits, Transactions } from "./transactions.ts";
import type { Write, WriteResult } from "./wire.ts";
import type { BatchWriteResponse, CommitResponse } from "./wire-calls.ts";
import { applyWrite, checkSequence, type NamedWrite, nameWrite } from "./write.ts";

/** The lock key of queries over whole collections. Every write shares it, so no document can appear in a locked range. */
const ALL_COLLECTIONS = "#";
const collectionKey = (collectionId: string) => `#${collectionId}`;

/** The result of writes that are not applied yet. */
interface Planned {
  readonly changes: Changes;
  readonly time: number;
  readonly response: CommitResponse;
}

/** One Firestore database: its documents, open transactions and clock. */
export class Database {
  readonly name: string;
  readonly store: Store;
  readonly clock: CommitClock;
  readonly transactions: Transactions;
  /** The composite indexes. If undefined, every query is served, as in the emulator. */
  readonly indexes: readonly CompositeIndex[] | undefined;

  readonly #persistence: Persistence | undefined;

  /** `name` is `projects/{project}/databases/{database}`. `now` returns milliseconds. Without `persistence` all is in memory only. */
  constructor(name: string, now: () => number, limits: TransactionLimits, indexes?: readonly CompositeIndex[], persistence?: Persistence) {
    this.name = name;
    this.#persistence = persistence;
    const former = persistence?.former();
    this.store = new Store(former);
    this.clock = new CommitClock(now, former?.time);
    this.indexes = indexes;
    this.transactions = new Transactions(this.store, this.clock, limits);
  }

  /** Applies all writes or none, in an open transaction or (empty id) in its own. Waits for locks and, if persistent, for the disk. */
  async commit(writes: readonly Write[], transactionId: Buffer, peer: string): Promise<CommitResponse> {
    const named = writes.map((write) => nameWrite(this.name, write));
    checkSequence(named);
    const { transactions } = this;
    if (transactionId.length === 0) return this.#commitAlone(named);
    return transactions.within(transactionId, peer, async (transaction) => {
      let response: CommitResponse;
      transaction.committing = true;
      try {
        if (transaction.readOnly && named.length > 0) throw invalid("Cannot modify entities in a read-only transaction.");
        await transactions.lock(transaction, ...lockKeys(named));
        if (transaction.snapshot !== undefined && named.length > 0) throw contended();
        response = await this.#write(named);
      } catch (error) {
        transaction.committing = false;
        // Keeps the transaction after a disk error: the client retries an UNAVAILABLE commit in the same transaction.
        if (!(error instanceof WriteFault)) transactions.end(transaction);
        throw error;
      }
      transactions.end(transaction);
      return response;
    });
  }

  /** Applies each write independently and returns one status per write. Throws INVALID_ARGUMENT if a document is written twice. */
  async batchWrite(writes: readonly Write[]): Promise<BatchWriteResponse> {
    const named = writes.map((write) => nameWrite(this.name, write));
    if (new Set(named.map(({ target }) => target.name)).size < named.length) {
      throw invalid("Cannot write to the same document more than once in a batch.");
    }
    const outcomes = await Promise.all(named.map((write) => this.#attempt(write)));
    return { writeResults: outcomes.map(({ result }) => result), status: outcomes.map(({ status }) => status) };
  }

  /** Removes all documents and ends all transactions. */
  async clear(): Promise<void> {
    this.#persistence?.flush();
    this.transactions.endAll();
    const cleared = this.#inForce(() => {
      const changes = new Map<string, undefined>();
      for (const document of this.store.scan({ kind: "all", below: `${this.name}/documents` })) changes.set(document.name, undefined);
      return { changes, time: this.clock.tick() };
    });
    this.#persistence?.flush();
    await cleared;
  }

  async #commitAlone(named: readonly NamedWrite[]): Promise<CommitResponse> {
    const { locks } = this.transactions;
    const owner = {};
    await locks.acquire(owner, ...lockKeys(named));
    try {
      return await this.#write(named);
    } finally {
      locks.release(owner);
    }
  }

  async #attempt(write: NamedWrite): Promise<{ result: WriteResult; status: { code: number; message: string } }> {
    try {
      const { writeResults } = await this.#commitAlone([write]);
      return { result: writeResults[0] ?? NO_RESULT, status: { code: 0, message: "" } };
    } catch (error) {
      const refusal = asRefusal(error);
      if (refusal === undefined) throw error;
      return { result: NO_RESULT, status: { code: refusal.code, message: refusal.message } };
    }
  }

  /** The caller holds the locks of the writes until this resolves: nobody else plans changes of the same documents meanwhile. */
  async #write(writes: readonly NamedWrite[]): Promise<CommitResponse> {
    const plan = () => this.#plan(writes);
    // A commit that only ends its reads goes on while nothing can be written.
    const { response } = writes.length === 0 ? plan() : await this.#inForce(plan);
    return response;
  }

  /** Plans and applies in one step of the event loop, so no reader sees a partial commit, or a time without the commits before it. */
  async #inForce<Plan extends Omit<Planned, "response">>(plan: () => Plan): Promise<Plan> {
    const apply = ({ changes, time }: Plan) => this.store.commit(changes, time);
    if (this.#persistence) return this.#persistence.commit(plan, apply);
    const planned = plan();
    apply(planned);
    return planned;
  }

  /** Later writes see the results of earlier writes of the same commit. All writes of a document have its update time at the end. */
  #plan(writes: readonly NamedWrite[]): Planned {
    const time = this.clock.tick();
    const states = new Map<string, StoredDocument | undefined>();
    const applied = writes.map((write) => {
      const { name } = write.target;
      const stored = this.store.get(name);
      const current = states.has(name) ? states.get(name) : stored;
      const { next, transformResults } = applyWrite({ current, stored }, write, time);
      states.set(name, next);
      return { name, transformResults };
    });
    const writeResults = applied.map(({ name, transformResults }): WriteResult => {
      const updateTime = states.get(name)?.updateTime;
      return { updateTime: updateTime === undefined ? null : toWire(updateTime), transformResults };
    });
    for (const [name, next] of states) if (next === this.store.get(name)) states.delete(name);
    return { changes: states, time, response: { writeResults, commitTime: toWire(time) } };
  }
}

const NO_RESULT: WriteResult = { updateTime: null, transformResults: [] };

/** The lock keys of a query in a read-write transaction. They cover every document that is in its scope or could enter it. */
export function queryLockKeys({ scope }: Plan): readonly string[] {
  if (scope.kind === "all") return [ALL_COLLECTIONS];
  const collectionId = scope.kind === "group" ? scope.collectionId : scope.collection.slice(scope.collection.lastIndexOf("/") + 1);
  return [collectionKey(collectionId)];
}

/** The keys that writes need alone, and those that they share with other writes. */
function lockKeys(writes: readonly NamedWrite[]): [alone: string[], shared: string[]] {
  const alone = new Set<string>();
  const shared = new Set<string>(writes.length === 0 ? [] : [ALL_COLLECTIONS]);
  for (const { target } of writes) {
    alone.add(target.name);
    shared.add(collectionKey(target.collectionId));
  }
  return [[...alone], [...shared]];
}
