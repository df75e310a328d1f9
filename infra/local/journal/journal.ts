import { renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { AppendFile, type Disk, syncFolder } from "./append-file.ts";
import { JournalFault, reasonOf, Trouble } from "./faults.ts";
import { fileHeader } from "./file-header.ts";
import { copyLive } from "./live-copy.ts";
import { type Changes, encodeRecord } from "./record.ts";

export interface JournalOptions {
  readonly file: string;
  readonly product: string;
  readonly disk: Disk;
  /** Told in words when writing fails, once, and when it works again. */
  readonly log: (line: string) => void;
  /** Below this size the file is not written anew. */
  readonly rewriteBytesMin: number;
}

/** What opening has found. */
interface Found {
  readonly opened: AppendFile;
  /** Where each key's present entry is in it. */
  readonly index: Map<string, number>;
  /** How many bytes the present entries take. */
  readonly liveBytes: number;
}

/** It is written anew when it is so many times as long as what still holds. */
const REWRITE_FACTOR = 4;

const ignore = (): void => undefined;

/**
 * Keys and values that outlast the process: every change is appended to one file, which is written anew when most of it is stale.
 * A change is in the file when `append` returns, so that no kill of the process loses it, and on the disk when `synced` resolves.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #trouble: Trouble;
  #file: AppendFile;
  #index: Map<string, number>;
  readonly #owed = new Map<string, Uint8Array | undefined>();
  #rewriteAt: number;
  #rewriting: Promise<void> | undefined;
  #appended = 0;
  #durable = 0;
  #syncing: Promise<void> = Promise.resolve();
  #nextSync: Promise<void> | undefined;
  /** Set after a failed sync, when nobody knows which bytes are on the disk. */
  #unsound: unknown;
  #closed = false;

  constructor(options: JournalOptions, { opened, index, liveBytes }: Found) {
    this.#options = options;
    this.#trouble = new Trouble(options.file, options.log);
    this.#file = opened;
    this.#index = index;
    this.#rewriteAt = this.#threshold(liveBytes);
  }

  /** Writes changes, all of them or none. Throws `JournalFault`; whoever calls puts them in force only after this. */
  append(changes: Changes): void {
    if (this.#closed) throw new JournalFault("The server is closing.");
    if (this.#unsound !== undefined) {
      this.#rewrite().catch(ignore);
      throw this.#trouble.fault(this.#unsound);
    }
    const { bytes, offsets } = encodeRecord(this.#owed.size === 0 ? changes : new Map([...this.#owed, ...changes]));
    let at: number;
    try {
      at = this.#file.append(bytes);
    } catch (error) {
      throw this.#trouble.fault(error);
    }
    for (const source of [this.#owed, changes]) {
      for (const [key, value] of source) {
        if (value === undefined) this.#index.delete(key);
        else this.#index.set(key, at + (offsets.get(key) ?? 0));
      }
    }
    this.#owed.clear();
    this.#appended++;
    this.#trouble.over();
    if (this.#file.length >= this.#rewriteAt) this.#shrink();
  }

  /** Writes changes that may be lost, such as acknowledgements: when they cannot be written now, they go with the next that can. */
  note(changes: Changes): void {
    try {
      this.append(changes);
    } catch (error) {
      if (!(error instanceof JournalFault)) throw error;
      for (const [key, value] of changes) this.#owed.set(key, value);
    }
  }

  /** Resolves when all that was appended is on the disk; one sync serves all who wait. Rejects with `JournalFault`. */
  synced(): Promise<void> {
    if (this.#durable === this.#appended) return Promise.resolve();
    this.#nextSync ??= this.#syncing.then(() => {
      this.#nextSync = undefined;
      const sync = this.#sync();
      this.#syncing = sync.catch(ignore);
      return sync;
    });
    return this.#nextSync;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    if (this.#owed.size > 0) this.note(new Map());
    this.#closed = true;
    await this.synced().catch(ignore);
    await this.#rewriting?.catch(ignore);
    await this.#file.close();
  }

  async #sync(): Promise<void> {
    const [file, upTo] = [this.#file, this.#appended];
    if (this.#durable >= upTo) return;
    try {
      if (this.#unsound === undefined) await file.sync();
    } catch (error) {
      // One that has taken its place meanwhile was on the disk as a whole.
      if (file !== this.#file) return;
      this.#unsound = error;
    }
    // Another sync would say that all is well, though the system has dropped what it could not write.
    if (this.#unsound !== undefined)
      await this.#rewrite().catch((error: unknown) => {
        throw this.#trouble.fault(error);
      });
    this.#durable = Math.max(this.#durable, upTo);
  }

  #shrink(): void {
    this.#rewriteAt = Number.POSITIVE_INFINITY;
    this.#rewrite().catch((error: unknown) => {
      this.#rewriteAt = this.#file.length * 2;
      this.#options.log(`${this.#options.file} could not be made smaller: ${reasonOf(error)}. It is in use as it is`);
    });
  }

  /** Writes what holds to a new file, which takes the old one's place. */
  #rewrite(): Promise<void> {
    this.#rewriting ??= this.#writeAnew().finally(() => {
      this.#rewriting = undefined;
    });
    return this.#rewriting;
  }

  async #writeAnew(): Promise<void> {
    const { file, product, disk } = this.#options;
    const header = fileHeader(product);
    const path = `${file}.new`;
    const target = await AppendFile.create(path, disk);
    try {
      target.append(header);
      const from = this.#file;
      const end = from.length;
      const moved = await copyLive({ file, from, start: header.length, end, index: this.#index }, target);
      await target.sync();
      this.#replace(target, end, moved);
    } catch (error) {
      await target.close();
      await rm(path, { force: true }).catch(ignore);
      throw error;
    }
  }

  /** Without a pause, so that nothing is appended to the old file after its end was copied. */
  #replace(target: AppendFile, end: number, moved: ReadonlyMap<string, number>): void {
    const { file } = this.#options;
    const old = this.#file;
    const shift = target.length - end;
    if (old.length > end) target.append(old.tail(end));
    target.syncNow();
    renameSync(`${file}.new`, file);
    this.#file = target;
    old.close().catch(ignore);
    for (const [key, at] of this.#index) this.#index.set(key, at >= end ? at + shift : (moved.get(key) ?? at));
    this.#durable = this.#appended;
    this.#rewriteAt = this.#threshold(target.length);
    this.#unsound = undefined;
    try {
      syncFolder(dirname(file));
      this.#trouble.over();
    } catch (error) {
      this.#unsound = error;
    }
  }

  #threshold(liveBytes: number): number {
    return Math.max(this.#options.rewriteBytesMin, liveBytes * REWRITE_FACTOR);
  }
}
