import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Runs long work in slices: between two of them, the process handles what else has arrived. Work that does not yield takes no turn.
 * @param turn lets other work run; replaced by tests only
 */
export async function inSlices<Result>(slices: Generator<void, Result>, turn: () => Promise<unknown> = () => nextTurn()): Promise<Result> {
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
    await turn();
  }
}
