/** What the tool needs of the world around it; tests bring their own. */
export interface AdminContext {
  /** Writes to standard output: answers only. */
  readonly out: (text: string) => void;
  /** Writes a line to standard error: warnings, questions and mistakes. */
  readonly note: (line: string) => void;
  /** Asks and gives the line that was typed; undefined when nobody is there to type one. */
  readonly ask: (question: string) => Promise<string | undefined>;
  readonly now: () => Date;
  /** Who runs the tool, unless `--operator` names another. */
  readonly user: string;
}
