import { type Endpoint, noInput } from "../http/define-endpoint.ts";
import { ERRORS } from "../http/errors.ts";
import type { ResponseHeader } from "../http/headers.ts";
import { responseHeaders } from "./response-headers.ts";
import type { Node } from "./schemas.ts";

/** The name of a component for the errors of one status: the title without spaces. */
const NAMES: ReadonlyMap<number, string> = new Map(
  Object.values(ERRORS).map(({ status, title }) => [status, title.replaceAll(" ", "")] as const),
);

/** Returns the statuses of the errors that an operation may answer with because of its form, or by its handler. All others are its `default`. */
function statusesOf({ auth, params, body, requestHeaders = [], refusals = [] }: Endpoint): number[] {
  const statuses = [
    400,
    ...(auth === "none" ? [] : [401, 403]),
    ...(params === noInput ? [] : [404]),
    ...(body === noInput ? [] : [408]),
    ...(requestHeaders.includes("If-Match") ? [412] : []),
    ...(body === noInput ? [] : [413, 415]),
    ...(requestHeaders.includes("Idempotency-Key") ? [422] : []),
    ...(auth === "none" ? [] : [429]),
    ...refusals.map((code) => ERRORS[code].status),
  ];
  return [...new Set(statuses)].sort((a, b) => a - b);
}

/** Returns the error responses of an operation. */
export function problemsOf(endpoint: Endpoint): Record<string, Node> {
  const refer = (name: string): Node => ({ $ref: `#/components/responses/${name}` });
  return {
    ...Object.fromEntries(statusesOf(endpoint).map((status) => [String(status), refer(NAMES.get(status) ?? "Problem")])),
    default: refer("Problem"),
  };
}

/** Returns the header of 401, also for the response that stands for every status. */
function challenge(status: number | undefined): ResponseHeader[] {
  return status === undefined || status === ERRORS.unauthenticated.status ? ["WWW-Authenticate"] : [];
}

/** Returns the error responses of a document, by name. All have the same body. */
export function problemResponses(problem: Node, endpoints: readonly Endpoint[]): Record<string, Node> {
  const used = new Set(endpoints.flatMap(statusesOf));
  const codes = Object.entries(ERRORS);
  const response = (which: typeof codes, status?: number): Node => ({
    description: `A problem document (RFC 9457): ${which.map(([code, error]) => (status ? code : `${error.status} ${code}`)).join(", ")}`,
    headers: responseHeaders(["x-request-id", "RateLimit", "RateLimit-Policy", "Retry-After", "Allow", ...challenge(status)]),
    content: { "application/problem+json": { schema: problem } },
  });
  const ofStatus = [...NAMES]
    .filter(([status]) => used.has(status))
    .map(
      ([status, name]) =>
        [
          name,
          response(
            codes.filter(([, error]) => error.status === status),
            status,
          ),
        ] as const,
    );
  return Object.fromEntries([...ofStatus, ["Problem", response(codes)]]);
}
