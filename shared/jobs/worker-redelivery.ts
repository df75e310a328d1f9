import type { Redelivery } from "../runtime/redelivery.ts";

/**
 * How the worker's messages are redelivered in the cloud: for at least 107 minutes, so that a job survives an hour's outage of a
 * dependency. No backoff exceeds three minutes: each redelivery touches the job before the sweeper counts it as lost (`JOB_IDLE_MS`, five
 * minutes), so a failing job has one message, not a growing number. Pub/Sub applies both limits on a best-effort basis. Source:
 * https://cloud.google.com/pubsub/docs/handling-failures
 */
export const WORKER_REDELIVERY: Redelivery = { attemptsMax: 40, backoffSeconds: { minimum: 10, maximum: 180 } };
