/** What is wrong with a batch, for the provider: written beside the quarantined files, and never into a log. */
export interface BatchFault {
  /** The file's name within its folder; undefined if no single file is at fault. */
  readonly file: string | undefined;
  /** The line of a CSV file, the header being line 1; undefined if no line is at fault, or the file has none. */
  readonly line: number | undefined;
  readonly says: string;
  /** What would be right. */
  readonly right: string;
}

/** How many faults are told. */
export const FAULTS_MAX = 20;

/** A batch that cannot be loaded as it is. */
export class BadBatch extends Error {
  readonly faults: readonly BatchFault[];
  /** How many there are; `faults` are the first. */
  readonly total: number;

  constructor(faults: readonly BatchFault[], total = faults.length) {
    super(`A batch has ${total} faults`);
    this.name = "BadBatch";
    this.faults = faults.slice(0, FAULTS_MAX);
    this.total = total;
  }
}
