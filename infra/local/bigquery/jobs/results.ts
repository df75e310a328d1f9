import { randomUUID } from "node:crypto";
import { appendFile, open, readdir, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import type { Field, RowSource } from "../model.ts";
import { FieldSchema } from "../warehouse/catalog-schemas.ts";
import { keptRowsSql } from "../wire/kept-rows.ts";

/** A run of consecutive rows: their JSON texts, or their position in the spill file. */
interface Block {
  readonly count: number;
  readonly size: number;
  rows: readonly string[] | undefined;
  offset: number;
}

/** The positions of a set's rows in its file. */
export const ResultLayoutSchema = v.object({
  fields: v.array(FieldSchema),
  file: v.string(),
  blocks: v.array(v.object({ count: v.number(), size: v.number(), offset: v.number() })),
  bytes: v.number(),
});
type ResultLayout = v.InferOutput<typeof ResultLayoutSchema>;

const SET_BYTES_IN_MEMORY = 4 * 1024 * 1024;
const STORE_BYTES_IN_MEMORY = 64 * 1024 * 1024;

/** The rows of one job, in order, each as the JSON text of a TableRow. Large sets move to a file. */
export class ResultSet {
  readonly fields: readonly Field[];
  totalRows = 0;
  residentBytes = 0;
  readonly #folder: string;
  readonly #file: string;
  readonly #blocks: Block[] = [];
  #fileBytes = 0;
  #isDisposed = false;
  #spilling: Promise<void> = Promise.resolve();

  /** `layout`: that of a set whose rows are already in its file. */
  constructor(fields: readonly Field[], folder: string, layout?: ResultLayout) {
    this.fields = fields;
    this.#folder = folder;
    this.#file = layout?.file ?? `result-${randomUUID()}.ndjson`;
    for (const block of layout?.blocks ?? []) this.#blocks.push({ ...block, rows: undefined });
    this.totalRows = this.#blocks.reduce((sum, { count }) => sum + count, 0);
    this.#fileBytes = layout?.bytes ?? 0;
  }

  /** Whether the rows were dropped. */
  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** Returns a subquery in DuckDB's SQL that reads the rows, once `spill` has moved them to the file. */
  source(): RowSource {
    // A character of UTF-16 has three bytes of UTF-8 at most.
    const longest = 3 * this.#blocks.reduce((most, { size }) => Math.max(most, size), 0);
    const sql = keptRowsSql({ file: this.#path, fields: this.fields, rows: this.totalRows, longest });
    return { sql, rows: this.totalRows };
  }

  /** Returns the positions of the rows, once `keep` has written all of them to the file. */
  layout(): ResultLayout {
    const blocks = this.#blocks.map(({ count, size, offset }) => ({ count, size, offset }));
    return { fields: [...this.fields], file: this.#file, blocks, bytes: this.#fileBytes };
  }

  /** Flushes every row to the disk, to survive the process. */
  async keep(): Promise<void> {
    await this.spill();
    if (this.#fileBytes === 0) return;
    await using file = await open(this.#path, "r+");
    await file.sync();
  }

  get #path(): string {
    return join(this.#folder, this.#file);
  }

  /** Appends rows. */
  async add(rows: readonly string[]): Promise<void> {
    if (rows.length === 0) return;
    const size = rows.reduce((sum, row) => sum + row.length, 0);
    this.#blocks.push({ count: rows.length, size, rows, offset: -1 });
    this.totalRows += rows.length;
    this.residentBytes += size;
    if (this.residentBytes > SET_BYTES_IN_MEMORY) await this.spill();
  }

  /** Moves every row still in memory to the file. */
  spill(): Promise<void> {
    const spilling = this.#spilling.then(async () => {
      const blocks = this.#blocks.filter((block) => block.rows !== undefined);
      const pieces = blocks.map((block) => Buffer.from(`${block.rows?.join("\n")}\n`));
      if (pieces.length === 0) return;
      await appendFile(this.#path, Buffer.concat(pieces)).catch(async (error: unknown) => {
        await truncate(this.#path, this.#fileBytes).catch(() => undefined);
        throw error;
      });
      for (const [index, block] of blocks.entries()) {
        block.offset = this.#fileBytes;
        this.#fileBytes += pieces[index]?.length ?? 0;
        block.rows = undefined;
        this.residentBytes -= block.size;
      }
    });
    // A failed write leaves the rows in memory, and the next one retries.
    this.#spilling = spilling.catch(() => undefined);
    return spilling;
  }

  /** Returns rows from `start` (0-based): at most `count`, and no more than `maxBytes` of text unless a single row is larger. */
  async page(start: number, count: number, maxBytes: number): Promise<string[]> {
    const page: string[] = [];
    let bytes = 0;
    let first = 0;
    for (const [index, block] of this.#blocks.entries()) {
      const end = first + block.count;
      if (end > start) {
        const rows = block.rows ?? (await this.#read(index));
        for (const row of rows.slice(Math.max(0, start - first))) {
          bytes += row.length;
          if (page.length >= count || (bytes > maxBytes && page.length > 0)) return page;
          page.push(row);
        }
      }
      first = end;
    }
    return page;
  }

  /** Drops the rows and removes the file. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.#spilling;
    this.#blocks.length = 0;
    this.residentBytes = 0;
    if (this.#fileBytes > 0) await rm(this.#path, { force: true });
  }

  async #read(index: number): Promise<readonly string[]> {
    const offset = this.#blocks[index]?.offset ?? 0;
    const next = this.#blocks[index + 1];
    const end = next === undefined || next.offset < 0 ? this.#fileBytes : next.offset;
    const handle = await open(this.#path, "r");
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - offset), 0, end - offset, offset);
      return buffer.toString("utf8", 0, bytesRead - 1).split("\n");
    } finally {
      await handle.close();
    }
  }
}

/** Creates result sets and keeps their total memory under a budget: the least recently used sets spill to disk first. */
export class ResultStore {
  readonly #directory: string;
  /** Each set with its last counted bytes, least recently used first. */
  readonly #sets = new Map<ResultSet, number>();
  #resident = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  create(fields: readonly Field[]): ResultSet {
    const set = new ResultSet(fields, this.#directory);
    this.#sets.set(set, 0);
    return set;
  }

  /** Returns the set of rows that an earlier process stored. */
  restore(layout: ResultLayout): ResultSet {
    const set = new ResultSet(layout.fields, this.#directory, layout);
    this.#sets.set(set, 0);
    return set;
  }

  /** Removes the files of unknown sets: those of jobs that an earlier process did not finish. */
  async removeOthers(): Promise<void> {
    const known = new Set([...this.#sets.keys()].map((set) => set.layout().file));
    for (const file of await readdir(this.#directory))
      if (/^result-.*\.ndjson$/.test(file) && !known.has(file)) await rm(join(this.#directory, file), { force: true });
  }

  /** Marks a set as used. Call it when a set is complete or was read. */
  async touch(set: ResultSet): Promise<void> {
    this.#forget(set);
    this.#sets.set(set, set.residentBytes);
    this.#resident += set.residentBytes;
    for (const [oldest, bytes] of this.#sets) {
      if (this.#resident <= STORE_BYTES_IN_MEMORY) return;
      this.#sets.set(oldest, 0);
      this.#resident -= bytes;
      await oldest.spill();
    }
  }

  async remove(set: ResultSet): Promise<void> {
    this.#forget(set);
    await set.dispose();
  }

  #forget(set: ResultSet): void {
    this.#resident -= this.#sets.get(set) ?? 0;
    this.#sets.delete(set);
  }
}
