import * as v from "valibot";

const Coded = v.object({ code: v.union([v.number(), v.pipe(v.string(), v.digits(), v.transform(Number))]) });
/** Fetch-like clients have the HTTP status beside a code of their own. */
const WithStatus = v.object({ status: v.number() });
const Named = v.object({ code: v.pipe(v.string(), v.regex(/^[A-Z]/)) });
const Reasoned = v.object({ errors: v.tupleWithRest([v.object({ reason: v.string() })], v.unknown()) });

/** The code of an error of a Google client: an HTTP status from the REST ones, a gRPC status from the others. */
export function errorStatus(error: unknown): number | undefined {
  const coded = v.safeParse(Coded, error);
  if (coded.success) return coded.output.code;
  const parsed = v.safeParse(WithStatus, error);
  return parsed.success ? parsed.output.status : undefined;
}

/** The first reason that a REST client's error gives, in the service's own word, for example `rateLimitExceeded`. */
export function errorReason(error: unknown): string | undefined {
  const parsed = v.safeParse(Reasoned, error);
  return parsed.success ? parsed.output.errors[0].reason : undefined;
}

/** The name that Node or its `fetch` gives a fault of a connection, for example `ECONNRESET`. */
export function networkErrorName(error: unknown): string | undefined {
  const parsed = v.safeParse(Named, error);
  return parsed.success ? parsed.output.code : undefined;
}

/** The gRPC statuses that mean something of their own somewhere; `classify-error.ts` has what all of them ask for. */
export const GRPC = { notFound: 5, permissionDenied: 7, aborted: 10 } as const;
