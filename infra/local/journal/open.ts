import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppendFile, type Disk, syncFolder, systemDisk } from "./append-file.ts";
import { codeOf } from "./faults.ts";
import { checkFileHeader, fileHeader } from "./file-header.ts";
import { Journal } from "./journal.ts";
import { readRecords } from "./read-records.ts";
import { decodeEntries } from "./record.ts";

interface OpenOptions {
  /** The folder of the file `journal`. Created if missing. */
  readonly directory: string;
  /** The owner of the journal, in lowercase. */
  readonly product: string;
  readonly disk?: Disk;
  readonly log?: (line: string) => void;
  readonly rewriteBytesMin?: number;
}

/** A journal and its entries. */
export interface OpenedJournal {
  readonly journal: Journal;
  readonly entries: ReadonlyMap<string, Buffer>;
}

const REWRITE_BYTES_MIN = 16 * 1024 * 1024;

/**
 * Opens a product's journal, or creates an empty one. An incomplete last record was never acknowledged: it is cut off and logged. Throws a
 * one-line error for any other damage, another version, or a folder that cannot be used.
 */
export async function openJournal(options: OpenOptions): Promise<OpenedJournal> {
  const { directory, product, disk = systemDisk, log = console.error, rewriteBytesMin = REWRITE_BYTES_MIN } = options;
  const file = join(directory, "journal");
  const opened = await openOrCreate(file, product, disk);
  try {
    const { length } = opened;
    const header = fileHeader(product);
    const { buffer } = await opened.handle.read(Buffer.alloc(64), 0, 64, 0);
    checkFileHeader(file, buffer, product);
    const index = new Map<string, number>();
    const entries = new Map<string, Buffer>();
    const end = await readRecords(opened.handle, { file, from: header.length, to: length }, (payload, at) => {
      for (const { key, value, offset } of decodeEntries(payload)) {
        if (value === undefined) {
          index.delete(key);
          entries.delete(key);
          continue;
        }
        index.set(key, at + offset);
        entries.set(key, Buffer.from(value));
      }
    });
    if (end < length) {
      opened.truncate(end);
      await opened.sync();
      log(`${file}: dropped the last ${length - end} bytes, an incomplete change that was never acknowledged`);
    }
    let liveBytes = 0;
    for (const [key, value] of entries) liveBytes += key.length + value.length;
    return { journal: new Journal({ file, product, disk, log, rewriteBytesMin }, { opened, index, liveBytes }), entries };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openOrCreate(file: string, product: string, disk: Disk): Promise<AppendFile> {
  const path = `${file}.new`;
  try {
    const directory = dirname(file);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    // An unfinished rewrite never took effect.
    await rm(path, { force: true });
    const existing = await AppendFile.open(file, disk).catch((error: unknown) => {
      if (codeOf(error) !== "ENOENT") throw error;
      return undefined;
    });
    if (existing) return existing;
    const created = await AppendFile.create(path, disk);
    created.append(fileHeader(product));
    await created.sync();
    await rename(path, file);
    for (const folder of [directory, dirname(directory)]) syncFolder(folder);
    return created;
  } catch (error) {
    throw new Error(`${file} cannot be opened for writing (${codeOf(error)}); make it writable, or start with another data folder`, {
      cause: error,
    });
  }
}
