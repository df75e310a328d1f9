import { toJsonSchema } from "@valibot/to-json-schema";
import { ERRORS } from "../errors.ts";
import { Problem } from "../schemas/problem.ts";
import type { Api, Endpoint, Schema } from "./define.ts";
import { REQUEST_HEADERS, RESPONSE_HEADERS, type ResponseHeader } from "./headers.ts";
import { parameters } from "./openapi-parameters.ts";

const TITLES: Record<Api, string> = { users: "Populus Users API", data: "Populus Data API" };

/** The OpenAPI 3.1 document of one API, from its endpoints and nothing else. Source: https://spec.openapis.org/oas/v3.1.1.html */
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
          headers: responseHeaders(["x-request-id", "Retry-After", "Allow"]),
          content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
        },
      },
    },
  };
}

function operation(endpoint: Endpoint): object {
  const body = jsonSchema(endpoint.body, "input");
  const hasBody = endpoint.method === "POST" || endpoint.method === "PUT";
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
            headers: responseHeaders(["x-request-id", ...(endpoint.responseHeaders?.[Number(status)] ?? [])]),
            content: { "application/json": { schema: jsonSchema(schema, "output") } },
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

/** Transformations have no form in JSON Schema: the input's is what a client sends, the output's what it receives. */
function jsonSchema(schema: Schema, typeMode: "input" | "output") {
  const { $schema: _dialect, ...rest } = toJsonSchema(schema, { target: "draft-2020-12", typeMode, errorMode: "ignore" });
  return rest;
}

function isOptional(schema: Schema): boolean {
  return schema.type === "optional";
}

function problemDescription(): string {
  const codes = Object.entries(ERRORS).map(([code, { status }]) => `${status} ${code}`);
  return `A problem document (RFC 9457): ${codes.join(", ")}`;
}
