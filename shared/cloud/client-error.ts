import * as v from "valibot";

const Coded = v.object({ code: v.union([v.number(), v.pipe(v.string(), v.digits(), v.transform(Number))]) });
const Reasoned = v.object({ errors: v.tupleWithRest([v.object({ reason: v.string() })], v.unknown()) });

/** The code of an error of a Google client: an HTTP status from the REST ones, a gRPC status from the others. */
export function statusOf(error: unknown): number | undefined {
  const parsed = v.safeParse(Coded, error);
  return parsed.success ? parsed.output.code : undefined;
}

/** The first reason that a REST client's error gives, in the service's own word, for example `rateLimitExceeded`. */
export function reasonOf(error: unknown): string | undefined {
  const parsed = v.safeParse(Reasoned, error);
  return parsed.success ? parsed.output.errors[0].reason : undefined;
}

/** The gRPC statuses that the service tells apart. */
export const GRPC = {
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  unavailable: 14,
} as const;
