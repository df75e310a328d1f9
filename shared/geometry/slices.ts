/** Returns what a generator of slices returns in the end, without a pause between them. */
export function resultOf<Result>(slices: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}
