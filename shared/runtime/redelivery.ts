/** How a topic redelivers a message that a function failed to process. Pub/Sub allows 5 to 100 attempts and backoffs up to 600 s. */
export interface Redelivery {
  /** The number of deliveries after which the message goes to the dead-letter topic. */
  readonly attemptsMax: number;
  /** The wait before the second delivery. It doubles with each delivery up to the maximum. In seconds. */
  readonly backoffSeconds: { readonly minimum: number; readonly maximum: number };
}

/** Returns the seconds from the first to the last delivery if each fails at once. Messages survive an outage shorter than this. */
export function survivedSeconds({ attemptsMax, backoffSeconds: { minimum, maximum } }: Redelivery): number {
  return Array.from({ length: attemptsMax - 1 }, (_, retry) => Math.min(minimum * 2 ** retry, maximum)).reduce(
    (sum, wait) => sum + wait,
    0,
  );
}
