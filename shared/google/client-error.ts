import * as v from "valibot";

const Coded = v.object({ code: v.union([v.number(), v.pipe(v.string(), v.digits(), v.transform(Number))]) });
/** Fetch-like clients have the HTTP status next to their own code. */
const WithStatus = v.object({ status: v.number() });
const Named = v.object({ code: v.pipe(v.string(), v.regex(/^[A-Z]/)) });
const Reasoned = v.object({ errors: v.tupleWithRest([v.object({ reason: v.string() })], v.unknown()) });

/** Returns the status of a Google client's error: an HTTP status from REST clients, a gRPC status from the others. */
export function errorStatus(error: unknown): number | undefined {
  const coded = v.safeParse(Coded, error);
  if (coded.success) return coded.output.code;
  const parsed = v.safeParse(WithStatus, error);
  return parsed.success ? parsed.output.status : undefined;
}

/** Returns the first reason of a REST client's error as the service names it, for example `rateLimitExceeded`. */
export function errorReason(error: unknown): string | undefined {
  const parsed = v.safeParse(Reasoned, error);
  return parsed.success ? parsed.output.errors[0].reason : undefined;
}

/** Returns the code of a connection error from Node or its `fetch`, for example `ECONNRESET`. */
export function networkErrorName(error: unknown): string | undefined {
  const parsed = v.safeParse(Named, error);
  return parsed.success ? parsed.output.code : undefined;
}

/** The gRPC statuses that callers handle individually. `classify-error.ts` classifies all of them. */
export const GRPC = { notFound: 5, permissionDenied: 7, aborted: 10 } as const;
