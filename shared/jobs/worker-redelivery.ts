import type { Redelivery } from "../runtime/redelivery.ts";

/**
 * How the worker's messages are delivered again in the cloud: for 107 minutes at least, so that a job survives an hour's outage of whatever it
 * depends on. No backoff is longer than three minutes: a job whose message the topic holds is touched by each delivery before the sweeper takes
 * it for lost (`JOB_IDLE_MS`, five minutes), so a failing job has one message and not more and more of them.
 * Pub/Sub keeps to both as well as it can. Source: https://cloud.google.com/pubsub/docs/handling-failures
 */
export const WORKER_REDELIVERY: Redelivery = { attemptsMax: 40, backoffSeconds: { minimum: 10, maximum: 180 } };
