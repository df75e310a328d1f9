import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import { createLocalServer, urlOf } from "../../http-server.ts";
import { asBigQueryError, errorAnswer } from "../errors.ts";
import { BigQueryError } from "../model.ts";
import type { Authenticate, Caller } from "./caller.ts";
import { DISCOVERY_PATHS, discoveryDocument } from "./discovery.ts";
import { readJson } from "./json-body.ts";
import { readSelection } from "./partial-response.ts";
import { withoutNulls } from "./without-nulls.ts";

/** For how long the rest of a refused body is read, in milliseconds. */
const REST_MS_MAX = 5000;

/** JSON text, sent as it is. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A request with its route, caller and JSON body resolved. `params` are the named parts of the path. */
export interface ApiRequest {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Undefined when there is no body, and for uploads, whose handlers read `message` themselves. */
  readonly body: unknown;
  readonly message: IncomingMessage;
}

/** An object or a JSON text is sent with 200, undefined with 204. Errors are thrown. */
type Handler = (request: ApiRequest) => Promise<object | undefined> | object | undefined;

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to `/bigquery/v2`, or to the root for uploads. `:name` is a parameter. */
  readonly path: string;
  readonly handler: Handler;
  /** The member of the body in which nulls are values. Elsewhere they are as if absent, but in a PATCH, where they remove something. */
  readonly nullsIn?: string;
  /** Set if the handler reads the body itself. */
  readonly upload?: boolean;
}

/** Returns an HTTP server of the routes. Errors are sent in the REST API's shape. */
export function createApiServer(routes: readonly Route[], authenticate: Authenticate): Server {
  const matchers = routes.map((route) => ({ route, pattern: pathPattern(route) }));
  const server = createLocalServer((message, response) =>
    answer(message, response, matchers, authenticate).catch(async (error: unknown) => {
      await readRest(message);
      sendError(response, error);
    }),
  );
  server.keepAliveTimeout = 120_000;
  server.requestTimeout = 0;
  return server;
}

/** Reads what is left of a refused body, for a while: its sender would find the connection closed before it reads the answer. */
async function readRest(message: IncomingMessage): Promise<void> {
  if (message.complete || message.destroyed) return;
  message.resume();
  await finished(message, { signal: AbortSignal.timeout(REST_MS_MAX) }).catch(() => undefined);
}

interface Matcher {
  readonly route: Route;
  readonly pattern: RegExp;
}

async function answer(
  message: IncomingMessage,
  response: ServerResponse,
  matchers: readonly Matcher[],
  authenticate: Authenticate,
): Promise<void> {
  const url = urlOf(message);
  const path = url.pathname.replace(/^\/bigquery\/v2(?=\/upload\/)/, "");
  if (message.method === "GET" && DISCOVERY_PATHS.includes(path)) {
    send(response, 200, JSON.stringify(discovery(url.searchParams, message.headers.host)));
    return;
  }
  const caller = authenticate(message.headers.authorization);
  const found = findRoute(matchers, message.method, path);
  const fields = url.searchParams.get("fields");
  // Before anything happens: a selection that cannot be read refuses the request.
  const select = fields ? readSelection(fields) : undefined;
  const body = found.route.upload ? undefined : await readBody(message, found.route);
  const result = await found.route.handler({ caller, params: found.params, query: url.searchParams, body, message });
  if (result === undefined) response.writeHead(204).end();
  else if (select) send(response, 200, JSON.stringify(select(result instanceof JsonText ? JSON.parse(result.text) : result)));
  else send(response, 200, result instanceof JsonText ? result.text : JSON.stringify(result));
}

async function readBody(message: IncomingMessage, { method, nullsIn }: Route): Promise<unknown> {
  const body = await readJson(message);
  return method === "PATCH" ? body : withoutNulls(body, nullsIn);
}

/** Like the real one, the document needs no token. Throws `notFound` for another version. */
function discovery(query: URLSearchParams, host = "127.0.0.1"): object {
  const version = query.get("version") ?? "v2";
  if (version !== "v2") throw new BigQueryError("notFound", `There is no discovery document of the version ${version}: only of v2.`);
  return discoveryDocument(`http://${host}/`);
}

function findRoute(
  matchers: readonly Matcher[],
  method: string | undefined,
  path: string,
): { route: Route; params: Record<string, string> } {
  for (const { route, pattern } of matchers) {
    const match = route.method === method ? pattern.exec(path) : null;
    if (match) {
      const params = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decoded(value)]);
      return { route, params: Object.fromEntries(params) };
    }
  }
  throw new BigQueryError("notImplemented", `${method} ${path} is not served by the local BigQuery`);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new BigQueryError("invalid", "The path of the request is not percent-encoded UTF-8.");
  }
}

function pathPattern({ path }: Route): RegExp {
  const from = path.startsWith("/upload/") ? "" : "(?:/bigquery/v2)?";
  return new RegExp(`^${from}${path.replaceAll(/:(\w+)/g, "(?<$1>[^/]+)")}/?$`);
}

function send(response: ServerResponse, code: number, text: string, headers: Record<string, string> = {}): void {
  const length = Buffer.byteLength(text);
  response.writeHead(code, { "content-type": "application/json; charset=UTF-8", "content-length": length, ...headers }).end(text);
}

function sendError(response: ServerResponse, thrown: unknown): void {
  const error = asBigQueryError(thrown);
  if (error.reason === "internalError") console.error(thrown);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { code, body } = errorAnswer(error);
  const challenge = 'Bearer realm="https://accounts.google.com/"';
  const headers: Record<string, string> = {};
  if (code === 401) headers["www-authenticate"] = error.reason === "required" ? challenge : `${challenge}, error="invalid_token"`;
  // Unread bytes of the body would be parsed as the next request.
  if (!response.req.complete) headers.connection = "close";
  send(response, code, JSON.stringify(body), headers);
}
