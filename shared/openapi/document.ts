import type { CountryTable } from "../countries/country-rules.ts";
import type { Api, Endpoint } from "../http/define-endpoint.ts";
import { Problem } from "../http/problem.ts";
import { countryCodeSchema, type Document } from "./country-code.ts";
import { describedOperation, describedSchemas } from "./described.ts";
import { type Examples, operation } from "./operation.ts";
import { problemResponses } from "./problem-responses.ts";
import { createComponents, jsonSchema, type Node } from "./schemas.ts";
import { tagOf } from "./tags.ts";

const ABOUT: Record<Api, { readonly title: string; readonly description: string }> = {
  users: {
    title: "Populus Users API",
    description: "Tokens, machine accounts and maps. Send an API key in `x-api-key` with every request.",
  },
  data: {
    title: "Populus Data API",
    description:
      "Population data: previews and jobs of Activities, the Origin-Destination Matrix and Flow, and headcounts of monitored maps. Send an API key in `x-api-key` with every request.",
  },
};

/** What a document is made from. */
export interface DocumentSource {
  readonly endpoints: readonly Endpoint[];
  readonly examples: Examples;
  readonly countries: CountryTable;
  readonly version: string;
}

/** Returns the OpenAPI 3.1 document of one API, derived from its endpoints only. Source: https://spec.openapis.org/oas/v3.1.1.html */
export function openapiDocument(api: Api, { endpoints, examples, countries, version }: DocumentSource): Document {
  const own = endpoints.filter((candidate) => candidate.api === api);
  const { refer, schemas } = createComponents();
  const problem = refer(jsonSchema(Problem, "output"));
  const operations = own.map((endpoint) => ({ endpoint, told: operation(endpoint, examples[endpoint.name], refer) }));
  const tags = new Map(own.map((endpoint) => [tagOf(endpoint).name, tagOf(endpoint)]));
  const named = withCountryCode(schemas(), countries);
  const paths: Record<string, Record<string, Node>> = {};
  for (const { endpoint, told } of operations) {
    const item = paths[endpoint.path] ?? {};
    item[endpoint.method.toLowerCase()] = describedOperation(told, named);
    paths[endpoint.path] = item;
  }
  return {
    openapi: "3.1.1",
    info: {
      ...ABOUT[api],
      version,
      contact: { name: "Support of the service" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The address that this document was read from" }],
    security: [{ apiKey: [] }],
    tags: [...tags.values()],
    paths,
    components: {
      securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "x-api-key", description: "64 lower-case hexadecimal characters" } },
      schemas: describedSchemas(named),
      responses: problemResponses(problem, own),
    },
  };
}

function withCountryCode(named: Readonly<Record<string, Node>>, countries: CountryTable): Readonly<Record<string, Node>> {
  return named.CountryCode ? { ...named, CountryCode: { ...named.CountryCode, ...countryCodeSchema(countries) } } : named;
}
