import type { DatabaseSync, StatementSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { isFull } from "./faults.ts";

/** New values by key; undefined removes the key. Applied atomically. */
export type Changes = ReadonlyMap<string, Uint8Array | undefined>;

/** The entries of one product in an SQLite file, which this process holds alone. */
export class StateFile {
  readonly path: string;
  readonly #database: DatabaseSync;
  /** The CRC of each entry. */
  readonly #sums: Map<string, number>;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #setTotal: StatementSync;
  #total: number;
  #durable = true;

  constructor(path: string, database: DatabaseSync, sums: Map<string, number>) {
    this.path = path;
    this.#database = database;
    this.#sums = sums;
    this.#total = totalOf(sums);
    this.#put = database.prepare("INSERT OR REPLACE INTO entries (key, value, crc) VALUES (?, ?, ?)");
    this.#remove = database.prepare("DELETE FROM entries WHERE key = ?");
    this.#setTotal = database.prepare("UPDATE total SET entries = ?, crc = ?");
  }

  /**
   * Writes changes atomically: they survive a kill when this returns, and a power failure too if they are `durable`. Otherwise the next
   * durable ones take them along. Throws SQLite's error; then nothing was changed.
   */
  write(changes: Changes, durable: boolean): void {
    this.#setDurable(durable);
    try {
      this.#commit(changes);
    } catch (error) {
      if (!isFull(error)) throw error;
      // A checkpoint writes the log's pages to the file, mostly in place of older ones. The log then starts anew and needs no more space.
      this.#database.exec("PRAGMA wal_checkpoint(RESTART)");
      this.#commit(changes);
    }
  }

  close(): void {
    this.#database.close();
  }

  /** `NORMAL` does not wait for the disk at a COMMIT. The order of the COMMITs stays, and no checkpoint runs before the log is on the disk. */
  #setDurable(durable: boolean): void {
    if (this.#durable === durable) return;
    this.#database.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}`);
    this.#durable = durable;
  }

  #commit(changes: Changes): void {
    const sums = new Map<string, number | undefined>();
    let [count, total] = [this.#sums.size, this.#total];
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      // What is removed first makes room for the rest on a full disk.
      for (const [key, value] of changes) if (value === undefined && this.#sums.has(key)) this.#remove.run(Buffer.from(key));
      for (const [key, value] of changes) {
        const bytes = Buffer.from(key);
        const sum = value && sumOf(bytes, value);
        if (value && sum !== undefined) this.#put.run(bytes, value, sum);
        const before = this.#sums.get(key);
        total ^= (before ?? 0) ^ (sum ?? 0);
        count += Number(sum !== undefined) - Number(before !== undefined);
        sums.set(key, sum);
      }
      this.#setTotal.run(count, total >>> 0);
      this.#database.exec("COMMIT");
    } catch (error) {
      // SQLite itself rolls back after some errors.
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
    this.#total = total;
    for (const [key, sum] of sums) {
      if (sum === undefined) this.#sums.delete(key);
      else this.#sums.set(key, sum);
    }
  }
}

/** Returns the CRC of an entry. */
export function sumOf(key: Uint8Array, value: Uint8Array): number {
  return crc32(value, crc32(key));
}

/** Returns the XOR of all entries' CRCs. */
export function totalOf(sums: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const sum of sums.values()) total ^= sum;
  return total >>> 0;
}
