import { currentParty } from "./fair-turns.ts";

/**
 * How long slices may run in a turn of the event loop, in milliseconds. A slice is not interrupted, so a turn is longer by up to one. A short
 * request takes dozens of turns, since each of its reads takes several: 2 ms delayed it twice as long.
 */
const TURN_MS = 0.25;

/**
 * The work of this process that is not done: of each party in the order in which it came. Each runs a slice of its own, and returns whether it
 * was the last. The first party is the next one whose work runs.
 */
const waiting = new Map<string, (() => boolean)[]>();

/**
 * Runs long work in slices: between turns of the event loop, the process handles what else has arrived. All work of the process shares the
 * time of a turn, so that many long requests delay a short one hardly more than one does. Slices of different parties alternate. The work of
 * one party is done one after the other: a hundred half-done ones would fill the memory. Work that does not yield is done at once, unless
 * other work of its party waits.
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
    const party = currentParty();
    const own = waiting.get(party);
    if (own) {
      own.push(step);
      return;
    }
    if (step()) return;
    waiting.set(party, [step]);
    if (waiting.size === 1) setImmediate(runTurn);
  });
}

function runTurn(): void {
  const until = performance.now() + TURN_MS;
  do {
    for (const [party, own] of waiting) {
      if (own[0]?.()) own.shift();
      // To the end: the others come first.
      waiting.delete(party);
      if (own.length > 0) waiting.set(party, own);
      break;
    }
  } while (waiting.size > 0 && performance.now() < until);
  if (waiting.size > 0) setImmediate(runTurn);
}
