import { ERRORS, ServiceError } from "./errors.ts";
import type { Problem } from "./problem-schema.ts";

/** The RFC 9457 document of a failure. An unknown fault becomes a fixed text: nothing internal leaves. */
export function problemOf(
  fault: unknown,
  requestId: string,
): {
  readonly body: Problem;
  readonly headers: Readonly<Record<string, string>>;
} {
  const known = fault instanceof ServiceError ? fault : new ServiceError("internal", "Something failed on our side; please try again");
  const { status, title } = ERRORS[known.code];
  return {
    body: {
      type: "about:blank",
      title,
      status,
      code: known.code,
      detail: known.message,
      error: known.message,
      ...(known.errors.length > 0
        ? {
            errors: known.errors.map(({ pointer, detail, allowed }) => ({
              pointer,
              detail,
              ...(allowed ? { allowed: [...allowed] } : {}),
            })),
          }
        : {}),
      request_id: requestId,
    },
    headers: known.headers,
  };
}
