import { expect, it } from "vitest";
import { call, keyOf, newCustomer } from "../infra/testing/service.ts";
import { jsonSchema } from "../shared/openapi/schemas.ts";
import { catalogue } from "./catalogue.ts";

const PATHS = ["/countries", "/geographies?geo_type=admin_level_2&limit=5", "/geographies?geo_type=admin_level_2&limit=5&format=geojson"];
const [key, other] = await Promise.all([newCustomer(), newCustomer()].map(async (customer) => keyOf(await customer)));

it.each(PATHS)("%s is sent once, and again only to another customer or after a change", async (path) => {
  const first = await call("data", "GET", path, { key });
  const tag = first.headers.get("etag") ?? "";
  expect({ status: first.status, caching: first.headers.get("cache-control") }).toEqual({ status: 200, caching: "private, no-cache" });
  expect(tag).toMatch(/^W\/"/);
  expect(first.headers.get("vary")).toContain("x-api-key");

  const again = await call("data", "GET", path, { key, headers: { "if-none-match": `"x", ${tag}` } });
  expect({ status: again.status, body: again.body, tag: again.headers.get("etag") }).toEqual({ status: 304, body: undefined, tag });
  const foreign = await call("data", "GET", path, { key: other, headers: { "if-none-match": tag } });
  expect({ status: foreign.status, body: foreign.body }).toEqual({ status: 200, body: first.body });
  expect(foreign.headers.get("etag")).not.toBe(tag);
  const unknown = await call("data", "GET", path, { key: "f".repeat(64), headers: { "if-none-match": tag } });
  expect({ status: unknown.status, tag: unknown.headers.get("etag") }).toEqual({ status: 401, tag: null });
});

it("a key for fewer countries gets them, whatever tag it names", async () => {
  const everywhere = await call("data", "GET", "/countries", { key });
  const narrow = keyOf(await newCustomer({ countries: ["LAT"], defaultCountry: "LAT" }));
  const { status, body } = await call("data", "GET", "/countries", {
    key: narrow,
    headers: { "if-none-match": everywhere.headers.get("etag") ?? "" },
  });
  expect({ status, body }).toMatchObject({ status: 200, body: { countries: [{ country_code: "LAT" }] } });
});

it("answers with tokens, keys or signed URLs are marked, so that none is compressed", () => {
  const secret = /"(?:accessToken|apiKey|url)":/;
  const holding = catalogue.filter(({ responses }) =>
    Object.values(responses).some((schema) => secret.test(JSON.stringify(jsonSchema(schema, "output")))),
  );
  const names = ["auth-login", "machine-accounts-create", "aggregation-urls"];
  expect(holding.map(({ name }) => name)).toEqual(names);
  expect(catalogue.filter(({ hasCredentials }) => hasCredentials).map(({ name }) => name)).toEqual(names);
});

it("a login is not compressed for a client that asks for it; the countries are", async () => {
  const headers = { "accept-encoding": "gzip" };
  const login = await call("users", "POST", "/login-with-apikey", { key, headers });
  expect({ status: login.status, encoding: login.headers.get("content-encoding") }).toEqual({ status: 200, encoding: null });
  expect((await call("data", "GET", "/countries", { key, headers })).headers.get("content-encoding")).toBe("gzip");
});
