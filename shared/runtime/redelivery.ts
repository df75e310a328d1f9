/** How a topic delivers a message again that a function could not process. Pub/Sub takes 5 to 100 attempts and backoffs up to 600 s. */
export interface Redelivery {
  /** After so many deliveries the message goes to the dead-letter topic. */
  readonly attemptsMax: number;
  /** The wait before the second delivery; it doubles with each one up to the most. In seconds. */
  readonly backoffSeconds: { readonly minimum: number; readonly maximum: number };
}

/** How long after the first delivery the last one comes, in seconds, when each fails at once: an outage that is shorter is survived. */
export function survivedSeconds({ attemptsMax, backoffSeconds: { minimum, maximum } }: Redelivery): number {
  return Array.from({ length: attemptsMax - 1 }, (_, retry) => Math.min(minimum * 2 ** retry, maximum)).reduce(
    (sum, wait) => sum + wait,
    0,
  );
}
