import { Trouble, WriteFault } from "./faults.ts";
import { openStateFile, type StateFileOptions } from "./open-state-file.ts";
import type { Changes, StateFile } from "./state-file.ts";

interface OpenOptions extends StateFileOptions {
  /** Called with a message when writing fails, and when it works again. */
  readonly log?: (line: string) => void;
}

/** What a change writes, and what puts it in force. */
export interface Prepared<Result> {
  readonly changes: Changes;
  /** Called right after the COMMIT. It must not write itself. */
  readonly apply: () => Result;
}

interface Waiting {
  /** Returns undefined if the change is refused. */
  readonly prepare: () => { readonly changes: Changes; readonly apply: () => void } | undefined;
  readonly failed: (fault: unknown) => void;
}

/** Opens a product's database. Throws a one-line error if its file cannot be used or read completely. */
export function openStateDatabase({ log = console.error, ...options }: OpenOptions) {
  const { file, entries } = openStateFile(options);
  return { database: new StateDatabase(file, log), entries };
}

/**
 * A persistent key-value store. All changes of one turn of the event loop share a COMMIT. No change is in force before its COMMIT has
 * returned, so nobody sees a change that a crash can take back.
 */
export class StateDatabase {
  readonly #file: StateFile;
  readonly #trouble: Trouble;
  #waiting: Waiting[] = [];
  readonly #noted = new Map<string, Uint8Array | undefined>();
  #turn: NodeJS.Immediate | undefined;
  #closed = false;

  constructor(file: StateFile, log: (line: string) => void) {
    this.#file = file;
    this.#trouble = new Trouble(file.path, log);
  }

  /**
   * Commits a change with the others of this turn. At its end, without a pause in between, the changes are prepared, committed and applied in
   * the order of the calls. `prepare` sees the state without the other changes of the turn: the caller keeps two that depend on each other
   * apart. Returns what `apply` returns. Rejects with the error of `prepare`, or with `WriteFault`; then nothing was applied.
   */
  commit<Result>(prepare: () => Prepared<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        prepare() {
          try {
            const { changes, apply } = prepare();
            return { changes, apply: () => resolve(apply()) };
          } catch (error) {
            reject(error);
            return undefined;
          }
        },
        failed: reject,
      });
      this.#schedule();
    });
  }

  /** Commits changes by themselves, after those of this turn so far. Throws `WriteFault`. The caller applies them after this returns. */
  commitNow(changes: Changes): void {
    this.flush();
    this.#write(changes);
  }

  /**
   * Adds changes that nobody waits for to the COMMIT of this turn. A crash may lose them, but not after a later `commit` has returned. If
   * they cannot be written, they are added to the next COMMIT. A change of the same key in the same COMMIT overrides them.
   */
  note(changes: Changes): void {
    for (const [key, value] of changes) this.#noted.set(key, value);
    this.#schedule();
  }

  /** Ends the turn for the changes so far: they are in force, or refused, when this returns. */
  flush(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    const written = new Map<string, Uint8Array | undefined>();
    const applied: (() => void)[] = [];
    const waiting = this.#waiting.splice(0).filter(({ prepare }) => {
      const prepared = prepare();
      if (prepared === undefined) return false;
      for (const [key, value] of prepared.changes) written.set(key, value);
      applied.push(prepared.apply);
      return true;
    });
    try {
      this.#write(written);
    } catch (fault) {
      for (const { failed } of waiting) failed(fault);
      return;
    }
    for (const apply of applied) apply();
  }

  /** Commits what is left and closes the file. */
  close(): void {
    if (this.#closed) return;
    this.flush();
    this.#closed = true;
    this.#file.close();
  }

  #schedule(): void {
    this.#turn ??= setImmediate(() => this.flush());
  }

  /** Writes changes and all that is noted. */
  #write(changes: Changes): void {
    if (this.#noted.size === 0 && changes.size === 0) return;
    if (this.#closed) throw new WriteFault("The server is closing.");
    const all = this.#noted.size === 0 ? changes : new Map([...this.#noted, ...changes]);
    try {
      // Nobody waits for what is noted, so it does not wait for the disk.
      this.#file.write(all, changes.size > 0);
    } catch (error) {
      throw this.#trouble.fault(error);
    }
    this.#noted.clear();
    this.#trouble.over();
  }
}
