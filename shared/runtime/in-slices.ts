/**
 * How long slices may run in a turn of the event loop, in milliseconds. A slice is not interrupted, so a turn is longer by up to one. A short
 * request takes dozens of turns, since each of its reads takes several: 2 ms delayed it twice as long.
 */
const TURN_MS = 0.25;

/** The work of this process that is not done, in the order in which it came. Each runs a slice of its own, and returns whether it was the last. */
const waiting: (() => boolean)[] = [];

/**
 * Runs long work in slices: between turns of the event loop, the process handles what else has arrived. All work of the process shares the
 * time of a turn, so that many long requests delay a short one hardly more than one does. One is done after the other: a hundred half-done
 * ones would fill the memory. Work that does not yield is done at once, unless other work waits.
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
    if (waiting.length === 0 && step()) return;
    if (waiting.push(step) === 1) setImmediate(runTurn);
  });
}

function runTurn(): void {
  const until = performance.now() + TURN_MS;
  do {
    if (waiting[0]?.()) waiting.shift();
  } while (waiting.length > 0 && performance.now() < until);
  if (waiting.length > 0) setImmediate(runTurn);
}
