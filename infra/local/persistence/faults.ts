import { messageOf } from "../../../shared/runtime/error-message.ts";
/** A change that could not be written. The client is told to retry. The message is for the client and the log. */
export class WriteFault extends Error {}

/** The primary and extended result codes of SQLite that are told apart: https://www.sqlite.org/rescode.html */
export const SQLITE = { busy: 5, readOnly: 8, ioError: 10, full: 13, cannotOpen: 14, notADatabase: 26, ioErrorWrite: 778 } as const;

/** Returns SQLite's extended result code of an error, or undefined if the error is not SQLite's. */
export function resultCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : undefined;
}

/** Whether an error may mean that a file cannot grow. SQLite tells a full disk, but not an exceeded quota or file size limit. */
export function isFull(error: unknown): boolean {
  const code = resultCode(error);
  return code === SQLITE.full || code === SQLITE.ioErrorWrite;
}

/** Returns the reason why a file cannot be written, in words. */
function reasonOf(error: unknown): string {
  const text = messageOf(error);
  switch (resultCode(error)) {
    case SQLITE.full:
      return `no space left on the disk (${text})`;
    case SQLITE.ioErrorWrite:
      return `no space left on the disk or within a limit, or a disk error (${text})`;
    default:
      return `disk error (${text})`;
  }
}

/** The one-line error of a start from a file whose content differs from what was written. */
export function damaged(file: string, what: string): Error {
  return new Error(
    `${file} is damaged: ${what}. Start with another data folder, restore the file from a copy, or delete it and lose all its data`,
  );
}

/** Tracks whether a file can be written. Logs each change once. */
export class Trouble {
  readonly #file: string;
  readonly #log: (line: string) => void;
  #present = false;

  constructor(file: string, log: (line: string) => void) {
    this.#file = file;
    this.#log = log;
  }

  /** Returns the error to throw for a change that SQLite could not write. */
  fault(error: unknown): WriteFault {
    const why = `${this.#file} cannot be written: ${reasonOf(error)}`;
    if (!this.#present) this.#log(`${why}. Changes are refused until it can be written; reads continue`);
    this.#present = true;
    return new WriteFault(`${why}. The change was not saved; retry later`);
  }

  over(): void {
    if (this.#present) this.#log(`${this.#file} can be written again`);
    this.#present = false;
  }
}
