import { type Endpoint, noInput } from "../http/define-endpoint.ts";
import { REQUEST_HEADERS, type ResponseHeader } from "../http/headers.ts";
import type { Schema } from "../http/schema.ts";
import { parameters } from "./parameters.ts";
import { problemsOf } from "./problem-responses.ts";
import { responseHeaders } from "./response-headers.ts";
import { type Components, isNode, jsonSchema, type Node, withDefaultsInWords } from "./schemas.ts";
import { tagOf } from "./tags.ts";

/** A request of an endpoint, and its response by status. */
export interface Example {
  readonly path?: Node;
  readonly query?: Node;
  /** Named bodies. */
  readonly bodies?: Readonly<Record<string, Node>>;
  /** Named response bodies by status. The first name of a status is the answer to the example's request. */
  readonly responses: Readonly<Record<number, Readonly<Record<string, unknown>>>>;
}

/** The examples of endpoints, by their name. */
export type Examples = Readonly<Record<string, Example>>;

/** Sent with every response to a valid key. */
const RATE = ["RateLimit", "RateLimit-Policy"] as const satisfies ResponseHeader[];

/** Sent with answers that clients may keep. */
const KEPT = ["ETag", "Cache-Control", "Vary"] as const satisfies ResponseHeader[];

/** Returns the OpenAPI operation of an endpoint. */
export function operation(endpoint: Endpoint, example: Example | undefined, refer: Components["refer"]): Node {
  const { path = {}, query = {}, bodies = {}, responses = {} } = example ?? {};
  return {
    operationId: endpoint.name,
    tags: [tagOf(endpoint).name],
    summary: endpoint.summary,
    description: endpoint.description,
    ...(endpoint.auth === "none" ? { security: [] } : {}),
    parameters: [
      ...parameters(jsonSchema(endpoint.params, "input"), "path", path, refer),
      ...parameters(jsonSchema(endpoint.query, "input"), "query", query, refer),
      ...[...(endpoint.requestHeaders ?? []), ...(endpoint.isRevalidated ? (["If-None-Match"] as const) : [])].map((name) => ({
        name,
        in: "header",
        required: false,
        ...REQUEST_HEADERS[name],
      })),
    ],
    ...(endpoint.body === noInput ? {} : { requestBody: requestBody(endpoint.body, bodies, refer) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(endpoint.responses).map(([status, schema]) => [
          status,
          {
            description: DESCRIPTIONS[status] ?? "Success",
            headers: responseHeaders([...headersOf(endpoint), ...(endpoint.responseHeaders?.[Number(status)] ?? [])]),
            content: contentOf(schema, responses[Number(status)] ?? {}, refer),
          },
        ]),
      ),
      ...(endpoint.isRevalidated
        ? { 304: { description: "The answer of If-None-Match is still right", headers: responseHeaders(headersOf(endpoint)) } }
        : {}),
      ...problemsOf(endpoint),
    },
  };
}

/** The headers of every answer of an endpoint that is no error. */
function headersOf({ auth, isRevalidated }: Endpoint): ResponseHeader[] {
  return ["x-request-id", ...(auth === "none" ? [] : RATE), ...(isRevalidated ? KEPT : [])];
}

const DESCRIPTIONS: Readonly<Record<string, string>> = { 200: "Success", 201: "Created", 202: "Accepted" };
const JSON_TYPE = "application/json";

function examplesOf(examples: Readonly<Record<string, unknown>>): Node {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return named.length > 0 ? { examples: Object.fromEntries(named) } : {};
}

/** A body that may be left out has a default, which no client needs to know. */
function requestBody(body: Schema, examples: Node, refer: Components["refer"]): Node {
  const { default: _default, ...schema } = jsonSchema(body, "input");
  return {
    required: body.type !== "optional",
    content: { [JSON_TYPE]: { schema: refer(withDefaultsInWords(schema)), ...examplesOf(examples) } },
  };
}

/** Returns the schemas of a success by media type. A schema, or an option of a union, may name its `mediaType`; the default is JSON. */
function contentOf(schema: Schema, examples: Readonly<Record<string, unknown>>, refer: Components["refer"]): Node {
  const whole = jsonSchema(schema, "output");
  const options = Array.isArray(whole.oneOf) ? whole.oneOf.filter(isNode) : [];
  const forms = options.some((option) => option.mediaType !== undefined) ? options : [whole];
  return Object.fromEntries(
    forms.map(({ mediaType = JSON_TYPE, ...form }) => {
      const own = Object.entries(examples).filter(([name]) => (EXAMPLE_TYPES[name] ?? JSON_TYPE) === mediaType);
      return [String(mediaType), { schema: refer(form), ...examplesOf(Object.fromEntries(own)) }];
    }),
  );
}

/** Examples of other media types, by name. */
const EXAMPLE_TYPES: Readonly<Record<string, string>> = { geojson: "application/geo+json", page: "text/html" };
