import { ERRORS } from "../../../shared/http/errors.ts";
import { isObject, schemaFaults } from "./json-schema.ts";
import { type Operation, operationAt, type ResponseForm } from "./openapi.ts";
import type { Sketch } from "./requests/sketch.ts";
import type { WireAnswer, WireRequest } from "./wire.ts";

/** Node's own limit of a request's head, in bytes. Node answers larger requests before the service sees them. */
const HEAD_BYTES_MAX = 16_384;
/** The part of that limit that the client itself may add: host, length and connection. */
const OWN_HEAD_BYTES = 200;
const BODY_BYTES_MAX = 1_048_576;
/** Headers that a response may have only where the document declares them. */
const DOCUMENTED = ["allow", "deprecation", "etag", "location", "ratelimit", "ratelimit-policy", "retry-after", "x-request-id"];
/** Text that reveals the service's internals. */
const INTERNAL = /\bat .{1,80}\.ts:\d|node_modules|node:internal|\/tmp\/|\/work\/|DuckDB|Firestore|ECONNREFUSED|SELECT .{1,200} FROM/i;

/** Returns everything that is wrong with a response: a 5xx, or a difference from the documents. */
export function answerFaults(operations: readonly Operation[], sketch: Sketch, sent: WireRequest, answer: WireAnswer): string[] {
  const { status, headers, text } = answer;
  if (status === 0) return isUnheard(sent) ? [] : [`no answer: ${text}`];
  if (isNodesOwn(sent, answer)) return [];
  if (status >= 500) return [`status ${status}: ${text.slice(0, 300)}`];
  const key = sent.headers.find(([name]) => name === "x-api-key")?.[1];
  return [
    ...(INTERNAL.test(text) ? [`the response reveals internals: ${INTERNAL.exec(text)?.[0]}`] : []),
    ...(key !== undefined && key.length === 64 && text.includes(key) ? ["the answer holds the key"] : []),
    ...(headers["x-request-id"] === undefined ? ["there is no x-request-id"] : []),
    ...(status < 400 ? successFaults(operations, sketch, sent, answer) : problemFaults(operations, sent, answer)),
  ];
}

/** Returns whether a missing response is allowed: a request that is too large is refused early, and the response may be lost. */
function isUnheard(sent: WireRequest): boolean {
  return (sent.body?.length ?? 0) > BODY_BYTES_MAX || isHeadTooLarge(sent);
}

function isHeadTooLarge({ method, target, headers }: WireRequest): boolean {
  return [method, target, ...headers.flat()].reduce((sum, part) => sum + part.length + 2, 0) > HEAD_BYTES_MAX - OWN_HEAD_BYTES;
}

/** Returns whether Node answered before the service: the head is too large, or the expectation is unsupported. */
function isNodesOwn(sent: WireRequest, { status, headers, text }: WireAnswer): boolean {
  if (headers["x-request-id"] !== undefined || text !== "") return false;
  const expects = sent.headers.some(([name, value]) => name === "expect" && value !== "100-continue");
  return (status === 431 && isHeadTooLarge(sent)) || (status === 417 && expects);
}

function successFaults(operations: readonly Operation[], { api, functionName }: Sketch, sent: WireRequest, answer: WireAnswer): string[] {
  const { status, headers, text } = answer;
  const asked = operations.find(({ operationId }) => operationId === functionName);
  const isHead = sent.method === "HEAD";
  // HEAD is answered like GET, without the body (RFC 9110, 9.3.2). The documents list GET only.
  const operation = operationAt(operations, asked?.api ?? api, isHead ? "GET" : sent.method, sent.target);
  if (!operation) return [`status ${status} for an operation that no document has`];
  const form = operation.responses[String(status)];
  if (!form) return [`${operation.operationId} does not declare status ${status}`];
  if (isHead) return [...(text === "" ? [] : ["the response to HEAD has a body"]), ...headerFaults(form, answer)];
  return [...bodyFaults(form, headers["content-type"], text), ...headerFaults(form, answer), ...laxFaults(operation, sent)];
}

/** Checks that the body of an accepted request is valid by the document. */
function laxFaults({ operationId, body }: Operation, sent: WireRequest): string[] {
  const value = parsed(sent.body?.toString("utf8") ?? "");
  if (!body || value === undefined) return [];
  return schemaFaults(body.schema, value).map((fault) => `${operationId} accepted a body that its document refuses: ${fault}`);
}

function problemFaults(operations: readonly Operation[], sent: WireRequest, answer: WireAnswer): string[] {
  const { status, headers, text } = answer;
  const [form] = operations.flatMap(({ responses }) => responses.default ?? []);
  if (!form) return ["the documents declare no error response"];
  // The response to HEAD has no body, and the same headers.
  if (sent.method === "HEAD" && text === "") return headerFaults(form, answer);
  const body = parsed(text);
  const problem = isObject(body) ? body : {};
  const { code } = problem;
  const known = Object.entries(ERRORS).find(([name]) => name === code)?.[1];
  return [
    ...bodyFaults(form, headers["content-type"], text),
    ...headerFaults(form, answer),
    ...(problem.status === status ? [] : [`the problem's status is ${problem.status}, the response's ${status}`]),
    ...(known?.status === status ? [] : [`the code ${code} does not match the status ${status}`]),
    ...(problem.error === problem.detail ? [] : ["error and detail differ"]),
    ...(problem.request_id === headers["x-request-id"] ? [] : ["request_id is not x-request-id"]),
    ...(status === 405 && headers.allow === undefined ? ["a 405 without Allow"] : []),
    ...(status === 429 && headers["retry-after"] === undefined ? ["a 429 without Retry-After"] : []),
  ];
}

function bodyFaults({ content }: ResponseForm, type: string | undefined, text: string): string[] {
  if (Object.keys(content).length === 0) return text === "" && type === undefined ? [] : ["there is a body where none is declared"];
  const body = content[type ?? ""];
  if (!body) return [`the media type is ${type}, none of ${Object.keys(content).join(", ")}`];
  const value = type === "text/html" ? text : parsed(text);
  return value === undefined ? ["the body is not JSON"] : schemaFaults(body.schema, value);
}

function headerFaults({ headers: declared }: ResponseForm, { headers }: WireAnswer): string[] {
  const forms = Object.entries(declared).map(([name, { schema }]) => [name.toLowerCase(), schema] as const);
  const value = (name: string, type: string | undefined): unknown => (type === "integer" ? Number(headers[name]) : headers[name]);
  return [
    ...DOCUMENTED.filter((name) => headers[name] !== undefined && !forms.some(([known]) => known === name)).map(
      (name) => `the header ${name} is not declared`,
    ),
    ...forms.flatMap(([name, schema]) =>
      headers[name] === undefined ? [] : schemaFaults(schema, value(name, schema.type), `(header ${name})`),
    ),
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
