/** Returns the next decision of a run, 0 to 999. Zeros follow when the values are used up. 0 always means success. */
export type Draw = () => number;

export function drawFrom(values: readonly number[]): Draw {
  let index = 0;
  return () => values[index++] ?? 0;
}

/** Runs one call of a port, which may fail before or after its effect. */
export type Step = <T>(name: string, effect: () => T) => Promise<T>;

export function stepsOf(draw: Draw): Step {
  return async (name, effect) => {
    await Promise.resolve();
    const fate = draw();
    if (fate >= 975) throw new Error(`${name} failed before its effect`);
    const result = effect();
    if (fate >= 950) throw new Error(`${name} failed after its effect`);
    return result;
  };
}
