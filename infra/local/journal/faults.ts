import { isDiskFull } from "../disk-full.ts";

/** A change that could not be written: the client is told to try again. The message is for it and for the log. */
export class JournalFault extends Error {}

/** What the system calls an error, as ENOSPC; its words where it has no code. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

/** Why a file cannot be written, in words. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return isDiskFull(error) ? `there is no room for it on the disk (${code})` : `the disk refuses it (${code})`;
}

/** The refusal to start from a file whose bytes are not those that were written; one line. */
export function damaged(file: string, offset: number, what: string): Error {
  return new Error(
    `${file} is damaged at byte ${offset}: ${what}. Nothing was changed in it. Start with another data folder, put a copy of the file in its place, or delete it and lose all that it holds`,
  );
}

/** Whether a file can be written at present; the log is told when that changes, once. */
export class Trouble {
  readonly #file: string;
  readonly #log: (line: string) => void;
  #present = false;

  constructor(file: string, log: (line: string) => void) {
    this.#file = file;
    this.#log = log;
  }

  /** What is thrown for a change that failed with the system's error. */
  fault(error: unknown): JournalFault {
    const why = `${this.#file} cannot be written: ${reasonOf(error)}`;
    if (!this.#present) this.#log(`${why}. Until it can, changes are refused and reads go on`);
    this.#present = true;
    return new JournalFault(`${why}. The change is not kept; try again when it can`);
  }

  over(): void {
    if (this.#present) this.#log(`${this.#file} is written again`);
    this.#present = false;
  }
}
