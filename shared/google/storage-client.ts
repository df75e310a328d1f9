import { type IdempotencyStrategy, Storage } from "@google-cloud/storage";
import type { Config } from "../runtime/config.ts";
import { httpCredentials } from "./access-token.ts";

/** `IdempotencyStrategy.RetryAlways`, as a number: a bundle loads no value of the client before the client is constructed. */
const RETRY_ALWAYS: IdempotencyStrategy = 0;

/**
 * Opens a client of Cloud Storage for operations that may be repeated: each has the same effect when it is sent twice, and so each is retried
 * after a lost response. The client sends its token to a local address too, as to the real service.
 *
 * With another strategy the client turns retries off, in a field that all its requests share, while it sends one that it may not repeat. A file
 * that is listed meanwhile takes over that state, and after its own request the client never retries again.
 * Source: `disableAutoRetryConditionallyIdempotent_` and `instanceRetryValue` in the client's file.ts.
 */
export function repeatingStorage(config: Config): Storage {
  const { storage: apiEndpoint } = config.addresses;
  return new Storage({
    projectId: config.project,
    ...(apiEndpoint ? { apiEndpoint, useAuthWithCustomEndpoint: true } : {}),
    ...httpCredentials(config),
    retryOptions: { idempotencyStrategy: RETRY_ALWAYS },
  });
}
