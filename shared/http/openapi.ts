import { toJsonSchema } from "@valibot/to-json-schema";
import { type Api, type Endpoint, METHODS_WITH_BODY } from "./define-endpoint.ts";
import { ERRORS } from "./errors.ts";
import { REQUEST_HEADERS, RESPONSE_HEADERS, type ResponseHeader } from "./headers.ts";
import { parameters } from "./openapi-parameters.ts";
import { Problem } from "./problem.ts";
import type { Schema } from "./schema.ts";

const TITLES: Record<Api, string> = { users: "Populus Users API", data: "Populus Data API" };

/** Sent with every response to a valid key. */
const RATE = ["RateLimit", "RateLimit-Policy"] as const satisfies ResponseHeader[];

/** Returns the OpenAPI 3.1 document of one API, derived from its endpoints only. Source: https://spec.openapis.org/oas/v3.1.1.html */
export function openapiDocument(api: Api, endpoints: readonly Endpoint[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints.filter((candidate) => candidate.api === api)) {
    const item = paths[endpoint.path] ?? {};
    item[endpoint.method.toLowerCase()] = operation(endpoint);
    paths[endpoint.path] = item;
  }
  return {
    openapi: "3.1.1",
    info: { title: TITLES[api], version },
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "x-api-key", description: "64 hexadecimal characters" } },
      schemas: { Problem: jsonSchema(Problem, "output") },
      responses: {
        Problem: {
          description: problemDescription(),
          headers: responseHeaders(["x-request-id", ...RATE, "Retry-After", "Allow"]),
          content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
        },
      },
    },
  };
}

function operation(endpoint: Endpoint): object {
  const body = jsonSchema(endpoint.body, "input");
  const hasBody = METHODS_WITH_BODY.includes(endpoint.method);
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    ...(endpoint.auth === "none" ? { security: [] } : {}),
    parameters: [
      ...parameters(jsonSchema(endpoint.params, "input"), "path"),
      ...parameters(jsonSchema(endpoint.query, "input"), "query"),
      ...(endpoint.requestHeaders ?? []).map((name) => ({ name, in: "header", required: false, ...REQUEST_HEADERS[name] })),
    ],
    ...(hasBody ? { requestBody: { required: !isOptional(endpoint.body), content: { "application/json": { schema: body } } } } : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(endpoint.responses).map(([status, schema]) => [
          status,
          {
            description: "Success",
            headers: responseHeaders([
              "x-request-id",
              ...(endpoint.auth === "none" ? [] : RATE),
              ...(endpoint.responseHeaders?.[Number(status)] ?? []),
            ]),
            content: contentOf(schema),
          },
        ]),
      ),
      default: { $ref: "#/components/responses/Problem" },
    },
  };
}

function responseHeaders(names: readonly ResponseHeader[]): object {
  return Object.fromEntries(names.map((name) => [name, RESPONSE_HEADERS[name]]));
}

const JSON_TYPE = "application/json";

/** Returns the schemas of a success by media type. A union option may name its `mediaType` in its metadata; the default is JSON. */
function contentOf(schema: Schema): object {
  const whole = jsonSchema(schema, "output");
  const forms = (whole.anyOf ?? []).map((form) => {
    const { mediaType = JSON_TYPE, ...rest } = { mediaType: undefined, ...(typeof form === "object" ? form : {}) };
    return [String(mediaType), rest] as const;
  });
  if (forms.every(([type]) => type === JSON_TYPE)) return { [JSON_TYPE]: { schema: whole } };
  const byType = Map.groupBy(forms, ([type]) => type);
  return Object.fromEntries(
    [...byType].map(([type, same]) => [type, { schema: same.length === 1 ? same[0]?.[1] : { anyOf: same.map(([, form]) => form) } }]),
  );
}

/**
 * Converts to JSON Schema, which cannot express transformations: `input` is what a client sends, `output` what it receives. OpenAPI 3.1
 * uses the dialect 2020-12, in which tuples differ from the library's default dialect.
 */
function jsonSchema(schema: Schema, typeMode: "input" | "output") {
  const { $schema: _dialect, ...rest } = toJsonSchema(schema, { typeMode, errorMode: "ignore", target: "draft-2020-12" });
  return rest;
}

function isOptional(schema: Schema): boolean {
  return schema.type === "optional";
}

function problemDescription(): string {
  const codes = Object.entries(ERRORS).map(([code, { status }]) => `${status} ${code}`);
  return `A problem document (RFC 9457): ${codes.join(", ")}`;
}
