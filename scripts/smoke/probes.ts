import { catalogue } from "../../functions/catalogue.ts";
import { type Api, type Endpoint, METHODS_WITH_BODY } from "../../shared/http/define-endpoint.ts";
import { matchPath } from "../../shared/http/http-request.ts";

/** The base URLs of the two APIs, without a slash at the end. */
export type Bases = Readonly<Record<Api, string>>;

/** The outcome of a request. `fault` says why the answer is wrong; undefined if it is correct. */
interface Outcome {
  readonly said: string;
  readonly fault?: string;
}

/** The outcomes of an endpoint, or of an unknown path. Outcomes that do not apply are absent. */
export interface ProbedRow {
  readonly name: string;
  readonly request: string;
  readonly noKey?: Outcome;
  readonly withKey?: Outcome;
  readonly otherMethod?: Outcome;
}

/** A well-formed id that does not exist, so that the requests change nothing. */
const NOBODY = "00000000-0000-4000-8000-000000000000";
/** Timeout of a request: longer than a function takes to start and answer, shorter than the load balancer's. */
const PATIENCE_MS = 90_000;
/** The first that a path does not have is the unsupported method. */
const OTHER_METHODS = ["PATCH", "PUT", "DELETE"] as const;

/**
 * Sends requests to every endpoint of the catalogue: without a key (expects 401, or 200 if public), with `key` if given (neither 401 nor
 * 5xx), and with an unsupported method (405 with `Allow`). Sends each API an unknown path (404). No request changes anything: ids do not
 * exist and bodies are empty. A login with the key does mint a token.
 */
export async function probe(bases: Bases, key: string | undefined): Promise<ProbedRow[]> {
  const rows: ProbedRow[] = [];
  for (const endpoint of catalogue) rows.push(await probeEndpoint(bases, endpoint, key));
  for (const api of ["users", "data"] as const) {
    const noKey = await ask(`${bases[api]}/nobodys-path`, "GET", {}, (answer) => problem(answer, 404));
    rows.push({ name: "–", request: `GET ${api} /nobodys-path`, noKey });
  }
  return rows;
}

async function probeEndpoint(bases: Bases, endpoint: Endpoint, key: string | undefined): Promise<ProbedRow> {
  const { name, api, method, path, auth } = endpoint;
  const url = bases[api] + path.replaceAll(/\{\w+\}/g, NOBODY);
  const noKey = await ask(url, method, {}, (answer) => (auth === "none" ? isStatus(answer, 200) : problem(answer, 401)));
  const withKey = key === undefined || auth === "none" ? {} : { withKey: await ask(url, method, { "x-api-key": key }, isServed) };
  const methods = catalogue.flatMap((other) => (other.api === api && matchPath(other.path, path) ? [other.method] : []));
  const other = OTHER_METHODS.find((one) => !methods.some((taken) => taken === one)) ?? "TRACE";
  const otherMethod = await ask(url, other, {}, (answer) => problem(answer, 405) ?? allows(answer, methods));
  return { name, request: `${method} ${api} ${path}`, noKey, ...withKey, otherMethod };
}

type Judge = (answer: Response) => string | undefined;

async function ask(url: string, method: string, headers: Readonly<Record<string, string>>, judge: Judge): Promise<Outcome> {
  const body = METHODS_WITH_BODY.some((one) => one === method) ? { body: "{}" } : {};
  const type = "body" in body ? { "content-type": "application/json" } : {};
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(url, { method, headers: { ...headers, ...type }, ...body, redirect: "manual", signal });
    await answer.arrayBuffer();
    const fault = judge(answer);
    return { said: String(answer.status), ...(fault === undefined ? {} : { fault }) };
  } catch (error) {
    return { said: "no answer", fault: `no answer: ${reasonOf(error)}` };
  }
}

/** `fetch` errors only say "fetch failed"; the reason is in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}

function isStatus({ status }: Response, wanted: number): string | undefined {
  return status === wanted ? undefined : `${status} instead of ${wanted}`;
}

function isServed({ status }: Response): string | undefined {
  return status === 401 ? "the key is unknown" : status >= 500 ? `${status}` : undefined;
}

function problem(answer: Response, wanted: number): string | undefined {
  const type = answer.headers.get("content-type") ?? "nothing";
  const isProblem = type.startsWith("application/problem+json");
  return isStatus(answer, wanted) ?? (isProblem ? undefined : `${wanted} with ${type} instead of a problem document`);
}

function allows(answer: Response, methods: readonly string[]): string | undefined {
  const allowed = (answer.headers.get("allow") ?? "").split(/, */);
  const missing = methods.filter((method) => !allowed.includes(method));
  return missing.length === 0 ? undefined : `405 without ${missing.join(", ")} in Allow`;
}
