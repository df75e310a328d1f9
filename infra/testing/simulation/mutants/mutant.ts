import type { Subject } from "../simulations.ts";

/** A change of a source text that breaks a guard of the code under test. */
export interface SourceChange {
  /** Describes the broken guard. */
  readonly name: string;
  /** The source file, relative to the project's folder. */
  readonly file: string;
  /** Text that occurs exactly once in the file, and its replacement. */
  readonly from: string;
  readonly to: string;
}

/** A broken guard of a simulated path. */
export interface Mutant extends SourceChange {
  /** The simulation that must detect it. */
  readonly subject: Subject;
  /**
   * The first seed that detects it, for one that needs many (`npm run simulate -- --mutants` shows it). The test suite starts there and
   * tries further seeds, then those before it, when the code has changed since: one `await` more changes what a seed does.
   */
  readonly seed?: number;
}

/** Breaks a source. Throws when the text does not occur exactly once: the source has changed and the mutant must follow. */
export function mutate(source: string, { name, file, from, to }: SourceChange): string {
  const parts = source.split(from);
  if (parts.length !== 2) throw new Error(`Mutant "${name}": ${file} has ${parts.length - 1} times: ${from}`);
  return parts.join(to);
}
