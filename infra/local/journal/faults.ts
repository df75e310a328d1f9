import { isDiskFull } from "../disk-full.ts";

/** A change that could not be written. The client is told to retry. The message is for the client and the log. */
export class JournalFault extends Error {}

/** Returns the system's code of an error, such as ENOSPC, or its text if it has no code. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

/** Returns the reason why a file cannot be written, in words. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return isDiskFull(error) ? `no space left on the disk (${code})` : `disk error (${code})`;
}

/** The one-line error of a start from a file whose bytes differ from what was written. */
export function damaged(file: string, offset: number, what: string): Error {
  return new Error(
    `${file} is damaged at byte ${offset}: ${what}. The file was not changed. Start with another data folder, restore the file from a copy, or delete it and lose all its data`,
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

  /** Returns the error to throw for a change that failed with a system error. */
  fault(error: unknown): JournalFault {
    const why = `${this.#file} cannot be written: ${reasonOf(error)}`;
    if (!this.#present) this.#log(`${why}. Changes are refused until it can be written; reads continue`);
    this.#present = true;
    return new JournalFault(`${why}. The change was not saved; retry later`);
  }

  over(): void {
    if (this.#present) this.#log(`${this.#file} can be written again`);
    this.#present = false;
  }
}
