/** Returns an expression for the multiple of a step that is nearest to a whole number of 0 or more. The middle goes up. */
export function nearestMultiple(value: string, step: string): string {
  return `DIV(2 * ${value} + ${step}, 2 * ${step}) * ${step}`;
}

/** Returns the same, but at least one step: what is told is never 0. */
export function nearestStep(value: string, step: string): string {
  return `GREATEST(${step}, ${nearestMultiple(value, step)})`;
}
