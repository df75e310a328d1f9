import { closeSync, fdatasyncSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** The file operations that can fail. Tests inject a full or broken disk. */
export interface Disk {
  /** Returns the number of bytes written, possibly fewer than requested. */
  write(fd: number, bytes: Uint8Array, from: number, length: number, position: number): number;
  truncate(fd: number, length: number): void;
  sync(handle: FileHandle): Promise<void>;
  syncNow(fd: number): void;
}

export const systemDisk: Disk = {
  write: writeSync,
  truncate: ftruncateSync,
  sync: (handle) => handle.datasync(),
  syncNow: fdatasyncSync,
};

/** A file that grows by whole appends. A failed append leaves nothing behind. */
export class AppendFile {
  readonly handle: FileHandle;
  readonly #disk: Disk;
  #length: number;
  #tidy = true;

  private constructor(handle: FileHandle, disk: Disk, length: number) {
    this.handle = handle;
    this.#disk = disk;
    this.#length = length;
  }

  /** Opens an existing file. Rejects with the system's error. */
  static async open(path: string, disk: Disk): Promise<AppendFile> {
    const handle = await open(path, "r+");
    return new AppendFile(handle, disk, (await handle.stat()).size);
  }

  /** Creates an empty file, replacing any existing one. */
  static async create(path: string, disk: Disk): Promise<AppendFile> {
    return new AppendFile(await open(path, "w+", 0o600), disk, 0);
  }

  get length(): number {
    return this.#length;
  }

  /** Appends synchronously and returns the offset. Throws the system's error; the file then has its former length. */
  append(bytes: Uint8Array): number {
    if (!this.#tidy) this.truncate(this.#length);
    const start = this.#length;
    try {
      for (let done = 0; done < bytes.length; ) {
        const written = this.#disk.write(this.handle.fd, bytes, done, bytes.length - done, start + done);
        if (written === 0) throw new Error("nothing was written");
        done += written;
      }
    } catch (error) {
      this.#tidy = false;
      try {
        this.truncate(start);
      } catch {
        // Retried before the next append. After a restart it is an incomplete tail, which is cut off.
      }
      throw error;
    }
    this.#length += bytes.length;
    return start;
  }

  truncate(length: number): void {
    this.#disk.truncate(this.handle.fd, length);
    this.#length = length;
    this.#tidy = true;
  }

  /** Reads the bytes from `from` to the end synchronously. */
  tail(from: number): Buffer {
    const bytes = Buffer.allocUnsafe(this.#length - from);
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(this.handle.fd, bytes, done, bytes.length - done, from + done);
      if (read === 0) throw new Error("the file is shorter than it was");
      done += read;
    }
    return bytes;
  }

  /** Resolves when all earlier appends survive a power failure. */
  sync(): Promise<void> {
    return this.#disk.sync(this.handle);
  }

  syncNow(): void {
    this.#disk.syncNow(this.handle.fd);
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/** Makes the names in a folder survive a power failure. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
