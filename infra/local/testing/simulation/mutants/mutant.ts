import type { Subject } from "../simulations.ts";

/** One guard of the code under test, broken by a change of its text. */
export interface Mutant {
  /** Which guard is gone, for a person. */
  readonly name: string;
  /** The simulation that has to notice. */
  readonly subject: Subject;
  /** The source below the project's folder. */
  readonly file: string;
  /** Text that is in it exactly once, and what stands there instead. */
  readonly from: string;
  readonly to: string;
}

/** Breaks a source. Throws when the text is not there exactly once: then the source has moved on and the mutant has to follow. */
export function mutate(source: string, { name, file, from, to }: Mutant): string {
  const parts = source.split(from);
  if (parts.length !== 2) throw new Error(`Mutant "${name}": ${file} has ${parts.length - 1} times: ${from}`);
  return parts.join(to);
}
