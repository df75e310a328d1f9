/**
 * Returns milliseconds since an arbitrary instant, which a change of the system's clock does not move, for durations. Node loads `performance` and
 * what belongs to it when it is first named, which takes a cold start a millisecond.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return 1000 * seconds + nanoseconds / 1e6;
}
