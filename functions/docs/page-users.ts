import { definePublicEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { createDocsPage, HtmlPage } from "../../shared/openapi/docs-page.ts";

const page = createDocsPage("Populus Users API");

export default definePublicEndpoint({
  file: "docs/page-users",
  api: "users",
  method: "GET",
  path: "/docs",
  summary: "Get a page to read and try this API",
  description: "Swagger UI, served by this API itself. Enter an API key under Authorize; it stays in the page.",
  params: noInput,
  query: noInput,
  body: noInput,
  responses: { 200: HtmlPage },
  handler: async (_request, { header }) => {
    const { body, headers } = page(header("accept-encoding"));
    return reply(200, body, headers);
  },
});
