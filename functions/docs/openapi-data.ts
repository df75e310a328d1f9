import * as v from "valibot";
import document from "../../infra/generated/openapi.data.json" with { type: "json" };
import { definePublicEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";

export default definePublicEndpoint({
  file: "docs/openapi-data",
  api: "data",
  method: "GET",
  path: "/openapi.json",
  summary: "Get this OpenAPI document",
  params: noInput,
  query: noInput,
  body: noInput,
  responses: { 200: v.record(v.string(), v.unknown()) },
  handler: async () => reply(200, document),
});
