/** What the tool needs from its environment; tests pass their own. */
export interface AdminContext {
  /** Writes to standard output: answers only. */
  readonly out: (text: string) => void;
  /** Writes a line to standard error: warnings, questions and errors. */
  readonly note: (line: string) => void;
  /** Asks a question and returns the typed line; undefined at the end of the input. */
  readonly ask: (question: string) => Promise<string | undefined>;
  readonly now: () => Date;
  /** The operator's name unless `--operator` sets another. */
  readonly user: string;
}
