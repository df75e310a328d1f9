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
  /** Called once with a message when writing fails, and once when it works again. */
  readonly log: (line: string) => void;
  /** The file is not rewritten below this size. */
  readonly rewriteBytesMin: number;
}

/** The result of opening. */
interface Found {
  readonly opened: AppendFile;
  /** The offset of each key's current entry in the file. */
  readonly index: Map<string, number>;
  /** The size of the current entries. */
  readonly liveBytes: number;
}

/** The file is rewritten when it is this many times the size of its current entries. */
const REWRITE_FACTOR = 4;

const ignore = (): void => undefined;

/**
 * A persistent key-value store. Every change is appended to one file, which is rewritten when most of it is stale. When `append` returns,
 * the change is in the file and survives a kill of the process. When `synced` resolves, it is on the disk.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #trouble: Trouble;
  #file: AppendFile;
  #index: Map<string, number>;
  readonly #pending = new Map<string, Uint8Array | undefined>();
  #rewriteAt: number;
  #rewriting: Promise<void> | undefined;
  #appended = 0;
  #durable = 0;
  #syncing: Promise<void> = Promise.resolve();
  #nextSync: Promise<void> | undefined;
  /** Set after a failed sync: the state on the disk is then unknown. */
  #unsound: unknown;
  #closed = false;

  constructor(options: JournalOptions, { opened, index, liveBytes }: Found) {
    this.#options = options;
    this.#trouble = new Trouble(options.file, options.log);
    this.#file = opened;
    this.#index = index;
    this.#rewriteAt = this.#threshold(liveBytes);
  }

  /** Writes changes atomically. Throws `JournalFault`. The caller applies them only after this returns. */
  append(changes: Changes): void {
    if (this.#closed) throw new JournalFault("The server is closing.");
    if (this.#unsound !== undefined) {
      this.#rewrite().catch(ignore);
      throw this.#trouble.fault(this.#unsound);
    }
    const { bytes, offsets } = encodeRecord(this.#pending.size === 0 ? changes : new Map([...this.#pending, ...changes]));
    let at: number;
    try {
      at = this.#file.append(bytes);
    } catch (error) {
      throw this.#trouble.fault(error);
    }
    for (const source of [this.#pending, changes]) {
      for (const [key, value] of source) {
        if (value === undefined) this.#index.delete(key);
        else this.#index.set(key, at + (offsets.get(key) ?? 0));
      }
    }
    this.#pending.clear();
    this.#appended++;
    this.#trouble.over();
    if (this.#file.length >= this.#rewriteAt) this.#shrink();
  }

  /** Writes changes that may be lost, such as acknowledgements. If the write fails, they are written with the next successful one. */
  note(changes: Changes): void {
    try {
      this.append(changes);
    } catch (error) {
      if (!(error instanceof JournalFault)) throw error;
      for (const [key, value] of changes) this.#pending.set(key, value);
    }
  }

  /** Resolves when all appended changes are on the disk. One sync serves all waiters. Rejects with `JournalFault`. */
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
    if (this.#pending.size > 0) this.note(new Map());
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
      // The file that replaced it in the meantime was synced completely.
      if (file !== this.#file) return;
      this.#unsound = error;
    }
    // A second sync would succeed although the system has dropped the bytes that it could not write.
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
      this.#options.log(`${this.#options.file} could not be compacted: ${reasonOf(error)}. It stays in use`);
    });
  }

  /** Writes the current entries to a new file, which replaces the old one. */
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

  /** Synchronous, so nothing is appended to the old file after its end was copied. */
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
