/** Something that must not be, and how it is made to happen again. */
export interface Finding {
  readonly what: readonly string[];
  /** A curl line without the key, or what was asked in another way. */
  readonly reproduction: string;
}

/** A finding as people read it. */
export function describeFinding({ what, reproduction }: Finding): string {
  return `${what.map((line) => `- ${line}`).join("\n")}\n  ${reproduction}`;
}

/** What a run did, and what it found. `counts` are in the order in which they are to be read. */
export interface Outcome {
  readonly counts: Readonly<Record<string, number | string>>;
  readonly findings: readonly Finding[];
}

/** Tells how far a run has come. */
export type Say = (line: string) => void;

/** Tells it whoever looks on: on standard error. */
export const sayAloud: Say = (line) => console.error(line);
