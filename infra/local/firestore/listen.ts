import type { Database } from "./database.ts";
import { type Changes, type StoredDocument, wireDocument } from "./document.ts";
import { parseDocumentName } from "./names.ts";
import { type Plan, planQuery } from "./plan.ts";
import { runQuery } from "./query.ts";
import { invalid } from "./refusal.ts";
import { inScope } from "./scope.ts";
import { toWire } from "./time.ts";
import type { ListenRequest, ListenResponse, Target } from "./wire-calls.ts";

interface Watched {
  readonly concerns: (document: StoredDocument | undefined, name: string) => boolean;
  readonly results: () => readonly StoredDocument[];
  readonly plan: Plan | undefined;
  /** Update times (microseconds) of the documents that the client has, by name. */
  readonly sent: Map<string, number>;
  stale: boolean;
}

/** One listen stream. It sends the documents of its targets, then every change to them, one snapshot at a time. */
export class Listening {
  readonly #database: Database;
  readonly #send: (response: ListenResponse) => void;
  readonly #targets = new Map<number, Watched>();
  readonly #stop: () => void;
  #flush: NodeJS.Immediate | undefined;

  constructor(database: Database, send: (response: ListenResponse) => void) {
    this.#database = database;
    this.#send = send;
    this.#stop = database.store.onCommit((changes) => this.#committed(changes));
  }

  /** Adds or removes a target. Throws INVALID_ARGUMENT. */
  request({ addTarget, removeTarget }: ListenRequest): void {
    if (addTarget !== undefined) this.#add(addTarget);
    if (removeTarget === undefined) return;
    this.#targets.delete(removeTarget);
    this.#send({ targetChange: { targetChangeType: "REMOVE", targetIds: [removeTarget] } });
  }

  close(): void {
    this.#stop();
    clearImmediate(this.#flush);
    this.#targets.clear();
  }

  #add(target: Target): void {
    const watched = this.#watch(target);
    const targetIds = [target.targetId];
    this.#targets.set(target.targetId, watched);
    this.#send({ targetChange: { targetChangeType: "ADD", targetIds } });
    // No resume state is stored: a resuming client discards its documents and receives all again.
    if (target.resumeToken?.length || target.readTime) this.#send({ targetChange: { targetChangeType: "RESET", targetIds } });
    this.#update(target.targetId, watched);
    for (const document of target.documents?.documents ?? []) if (!watched.sent.has(document)) this.#sendRemoval(target.targetId, document);
    this.#send({ targetChange: { targetChangeType: "CURRENT", targetIds, ...this.#moment() } });
    this.#send({ targetChange: { targetChangeType: "NO_CHANGE", targetIds: [], ...this.#moment() } });
  }

  #watch({ query, documents }: Target): Watched {
    const { store, name: database } = this.#database;
    if (query !== undefined) {
      const plan = planQuery(query.parent, query.structuredQuery);
      const concerns = (document: StoredDocument | undefined) => document !== undefined && inScope(plan.scope, document);
      return { concerns, results: () => runQuery(store, plan), plan, sent: new Map(), stale: false };
    }
    const names = new Set((documents?.documents ?? []).map((name) => parseDocumentName(database, name).name));
    if (names.size === 0) throw invalid("A target must have a query or documents.");
    const results = () => [...names].flatMap((name) => store.get(name) ?? []);
    return { concerns: (_document, name) => names.has(name), results, plan: undefined, sent: new Map(), stale: false };
  }

  #committed(changes: Changes): void {
    for (const watched of this.#targets.values()) {
      for (const [name, document] of changes) {
        if (watched.sent.has(name) || watched.concerns(document, name)) watched.stale = true;
      }
    }
    // Commits of the same event loop turn become one snapshot.
    this.#flush ??= setImmediate(() => {
      this.#flush = undefined;
      this.#sendChanges();
    });
  }

  #sendChanges(): void {
    let changed = false;
    for (const [targetId, watched] of this.#targets) {
      if (!watched.stale) continue;
      watched.stale = false;
      this.#update(targetId, watched);
      changed = true;
    }
    if (changed) this.#send({ targetChange: { targetChangeType: "NO_CHANGE", targetIds: [], ...this.#moment() } });
  }

  #update(targetId: number, watched: Watched): void {
    const results = watched.results();
    const names = new Set(results.map(({ name }) => name));
    for (const name of watched.sent.keys()) {
      if (names.has(name)) continue;
      watched.sent.delete(name);
      this.#sendRemoval(targetId, name);
    }
    for (const document of results) {
      if (watched.sent.get(document.name) === document.updateTime) continue;
      watched.sent.set(document.name, document.updateTime);
      this.#send({ documentChange: { document: wireDocument(document, watched.plan?.mask ?? null), targetIds: [targetId] } });
    }
  }

  #sendRemoval(targetId: number, document: string): void {
    const removal = { document, removedTargetIds: [targetId], readTime: toWire(this.#database.clock.readTime()) };
    this.#send(this.#database.store.get(document) === undefined ? { documentDelete: removal } : { documentRemove: removal });
  }

  #moment() {
    const time = this.#database.clock.readTime();
    return { readTime: toWire(time), resumeToken: Buffer.from(String(time)) };
  }
}
