import document from "../../infra/generated/openapi.data.json" with { type: "json" };
import { countries } from "../../shared/countries/countries.ts";
import { definePublicEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { OpenApiDocument, withCountries } from "../../shared/openapi/country-code.ts";

export default definePublicEndpoint({
  file: "docs/openapi-data",
  api: "data",
  method: "GET",
  path: "/openapi.json",
  summary: "Get this OpenAPI document",
  description: "It describes this version of the service. It needs no key.",
  params: noInput,
  query: noInput,
  body: noInput,
  responses: { 200: OpenApiDocument },
  handler: async () => reply(200, withCountries(document, countries())),
});
