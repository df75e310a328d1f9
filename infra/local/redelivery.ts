import type { Redelivery } from "../../shared/runtime/redelivery.ts";

/** The redelivery of the worker's messages on a laptop. Attempts end after seven minutes, since nobody waits for an hour. */
export const LOCAL_REDELIVERY: Redelivery = { attemptsMax: 20, backoffSeconds: { minimum: 1, maximum: 30 } };
