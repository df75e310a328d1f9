import { messageOf } from "../../../shared/runtime/error-message.ts";
import { missingProofs, type Proof } from "./proof.ts";

/** A step of a rehearsal that was taken, or not. */
export interface Step {
  readonly name: string;
  readonly seconds: number;
  readonly proofs: readonly Proof[];
  /** Why it was not taken, or not as it should be. */
  readonly faults: readonly string[];
}

export interface Steps {
  /** Takes a step and times it. It is taken if every proof holds. Throws an Error that names the step if it fails. */
  readonly take: (name: string, work: () => Promise<readonly Proof[]>) => Promise<void>;
  readonly taken: readonly Step[];
}

/** Takes steps one after the other. `say` receives a line for each. */
export function startSteps(say: (line: string) => void): Steps {
  const taken: Step[] = [];
  return {
    taken,
    take: async (name, work) => {
      const startedAt = performance.now();
      const proofs = await work().catch((error: unknown) => {
        throw new Error(`${name}: ${messageOf(error)}`);
      });
      const seconds = (performance.now() - startedAt) / 1000;
      const step = { name, seconds, proofs, faults: missingProofs(name, proofs) };
      taken.push(step);
      say(`  ${seconds.toFixed(1).padStart(5)} s  ${name}: ${proofs.map(({ what, found }) => `${what} ${found}`).join(", ")}`);
    },
  };
}
