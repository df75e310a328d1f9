import type { Redelivery } from "../../shared/runtime/redelivery.ts";

/** How the worker's messages are delivered again on a laptop, where nobody waits for an hour: for seven minutes. */
export const LOCAL_REDELIVERY: Redelivery = { attemptsMax: 20, backoffSeconds: { minimum: 1, maximum: 30 } };
