/** A defect, and how to reproduce it. */
export interface Finding {
  readonly what: readonly string[];
  /** A curl line without the key, or a description of the request. */
  readonly reproduction: string;
}

/** Formats a finding for people. */
export function describeFinding({ what, reproduction }: Finding): string {
  return `${what.map((line) => `- ${line}`).join("\n")}\n  ${reproduction}`;
}

/** What a run did, and what it found. `counts` are in display order. */
export interface Outcome {
  readonly counts: Readonly<Record<string, number | string>>;
  readonly findings: readonly Finding[];
}

/** Reports the progress of a run. */
export type Say = (line: string) => void;

/** Reports progress on standard error. */
export const sayAloud: Say = (line) => console.error(line);
