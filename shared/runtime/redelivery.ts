/** How a topic delivers a message again that a function could not process. Pub/Sub takes 5 to 100 attempts and backoffs up to 600 s. */
export interface Redelivery {
  /** After so many deliveries the message goes to the dead-letter topic. */
  readonly attemptsMax: number;
  /** The wait before the second delivery; it doubles with each one up to the most. In seconds. */
  readonly backoffSeconds: { readonly minimum: number; readonly maximum: number };
}

/**
 * How the worker's messages are delivered again in the cloud: for 107 minutes at least, so that a job survives an hour's outage of whatever it
 * depends on. No backoff is longer than three minutes: a job whose message the topic holds is touched by each delivery before the sweeper takes
 * it for lost (`JOB_IDLE_MS`, five minutes), so a failing job has one message and not more and more of them.
 * Pub/Sub keeps to both as well as it can. Source: https://cloud.google.com/pubsub/docs/handling-failures
 */
export const WORKER_REDELIVERY: Redelivery = { attemptsMax: 40, backoffSeconds: { minimum: 10, maximum: 180 } };

/** The same on a laptop, where nobody waits for an hour: seven minutes. */
export const LOCAL_REDELIVERY: Redelivery = { attemptsMax: 20, backoffSeconds: { minimum: 1, maximum: 30 } };

/** How long after the first delivery the last one comes, in seconds, when each fails at once: an outage that is shorter is survived. */
export function survivedSeconds({ attemptsMax, backoffSeconds: { minimum, maximum } }: Redelivery): number {
  return Array.from({ length: attemptsMax - 1 }, (_, retry) => Math.min(minimum * 2 ** retry, maximum)).reduce(
    (sum, wait) => sum + wait,
    0,
  );
}
