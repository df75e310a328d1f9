import { fairTurns, partyOfWork } from "./fair-turns.ts";

/**
 * Runs long work in slices: between turns of the event loop, the process handles what else has arrived. `fair-turns.ts` shares the turns. Work
 * that does not yield is done at once, unless other work of its party waits.
 */
export function inSlices<Result>(slices: Generator<void, Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const step = (): boolean => {
      try {
        const { done, value } = slices.next();
        if (done) resolve(value);
        return done === true;
      } catch (error) {
        reject(error);
        return true;
      }
    };
    const party = partyOfWork();
    if (fairTurns.hasWork(party) || !step()) fairTurns.work(party, step);
  });
}
