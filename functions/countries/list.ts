import { countries } from "../../shared/countries/countries.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { CountriesResponse, describeCountry } from "../../shared/products/country-description.ts";

export default defineEndpoint({
  file: "countries/list",
  api: "data",
  method: "GET",
  path: "/countries",
  summary: "List the countries of the key, and what each offers",
  description: "Their products with geography types and measures, the time zone of their days, their extent, and k.",
  auth: {},
  params: noInput,
  query: noInput,
  body: noInput,
  responses: { 200: CountriesResponse },
  isRevalidated: true,
  dependencies: () => ({}),
  handler: async ({ caller }) => {
    const table = Object.entries(countries()).filter(([code]) => caller.countries.includes(code));
    return reply(200, { countries: table.map(([code, rules]) => describeCountry(code, rules)) });
  },
});
