import type { Scheduler } from "fast-check";

/** Returns the next decision of a run, 0 to 999. Zeros follow when the values are used up. 0 always means success. */
export type Draw = () => number;

export function drawFrom(values: readonly number[]): Draw {
  let index = 0;
  return () => values[index++] ?? 0;
}

/** Decides in which order calls take their turn. */
export type Turns = Pick<Scheduler, "schedule" | "waitFor">;

/** Runs turns in the order of the calls. */
export const IN_ORDER: Turns = { schedule: (turn) => turn, waitFor: (end) => end };

/** Runs one call of a port. The call takes its turn among others, and may fail before or after its effect. */
export type Step = <T>(name: string, effect: () => T) => Promise<T>;

export function stepsOf(scheduler: Turns, draw: Draw): Step {
  return async (name, effect) => {
    await scheduler.schedule(Promise.resolve(), name);
    const fate = draw();
    if (fate >= 975) throw new Error(`${name} failed before its effect`);
    const result = effect();
    if (fate >= 950) throw new Error(`${name} failed after its effect`);
    return result;
  };
}
