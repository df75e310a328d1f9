import { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMap } from "../../infra/testing/realtime.ts";
import { call, keyOf, newCustomer, ready } from "../../infra/testing/service.ts";
import { keyHash } from "../../shared/accounts/api-key.ts";
import { config } from "../../shared/runtime/config.ts";

/** Around Valga, whose other half is Valka in Latvia. */
const BORDER = "POLYGON((25.9 57.7, 26.15 57.7, 26.15 57.85, 25.9 57.85, 25.9 57.7))";
/** Tartu: within Estonia. */
const TARTU = "POLYGON((26.6 58.3, 26.8 58.3, 26.8 58.42, 26.6 58.42, 26.6 58.3))";
/** In the gulf of Riga, in the extents of both countries: no network counts there. */
const GULF = "POLYGON((23.4 57.9, 23.5 57.9, 23.5 58.0, 23.4 58.0, 23.4 57.9))";

const customer = await newCustomer({ countries: ["EST", "LAT"] });
const [full, estonian] = [keyOf(customer), keyOf(customer, "warehouse")];
const alone = keyOf(await newCustomer({ countries: ["EST"] }));
const db = new Firestore({ projectId: ready.project });
const REFUSED = {
  status: 403,
  body: { code: "permission_denied", detail: expect.stringContaining("The polygon reaches into LAT, which this key does not cover") },
};

beforeAll(() => db.doc(`apiKeys/${keyHash(config().environment, estonian)}`).update({ countries: ["EST"] }));
afterAll(() => db.terminate());

const create = (key: string, geometry: string) =>
  call("users", "POST", "/admin/maps", { key, body: { name: "a map", type: "custom_polygon", geometry } });
const check = (key: string, geometry: string) =>
  call("users", "POST", "/admin/maps/check", { key, body: { type: "custom_polygon", geometry } });
const enable = (key: string, map_id: string) => call("data", "POST", "/admin/realtime", { key, body: { map_id, enable: true } });

it("a polygon over the border is saved and switched on only by a key that covers both countries", async () => {
  expect(await create(estonian, BORDER)).toMatchObject(REFUSED);
  expect(await check(estonian, BORDER)).toMatchObject({
    status: 200,
    body: {
      countries: ["EST"],
      errors: [{ pointer: "/geometry", detail: expect.stringContaining("reaches into LAT, which this key does not") }],
    },
  });
  expect(await check(full, BORDER)).toMatchObject({ status: 200, body: { countries: ["EST", "LAT"], errors: [] } });
  const saved = await create(full, BORDER);
  expect(saved).toMatchObject({ status: 201 });
  const { id } = v.parse(v.object({ id: v.string() }), saved.body);
  expect(await enable(estonian, id)).toMatchObject(REFUSED);
  expect(await enable(full, id)).toMatchObject({ status: 200, body: { is_monitored: true } });
});

it("a map is not moved over the border by a key of one side", async () => {
  const id = await createMap(full, { type: "custom_polygon", geometry: TARTU });
  expect(await call("users", "PUT", `/admin/maps/${id}`, { key: estonian, body: { geometry: BORDER } })).toMatchObject(REFUSED);
});

it.each([
  ["within its country", TARTU],
  ["where no network counts, in the extents of both", GULF],
])("a key of one country saves a polygon %s", async (_where, geometry) => {
  expect(await create(estonian, geometry)).toMatchObject({ status: 201 });
  expect(await check(estonian, geometry)).toMatchObject({ status: 200, body: { errors: [] } });
});

it("a polygon over the border is saved by the key of a customer that has one side only: it is measured there only", async () => {
  expect(await create(alone, BORDER)).toMatchObject({ status: 201 });
});

it("a list of geographies is switched on only by a key that covers its country", async () => {
  const answer = await call("data", "GET", "/geographies?country_code=LAT&geo_type=admin_level_2&limit=1", { key: full });
  const { geographies } = v.parse(v.object({ geographies: v.array(v.object({ geo_id: v.number() })) }), answer.body);
  const id = await createMap(full, { type: "admin_level_2", ids: geographies.map(({ geo_id }) => geo_id), country_code: "LAT" });
  expect(await enable(estonian, id)).toMatchObject({ status: 403, body: { detail: expect.stringContaining("does not cover LAT") } });
  expect(await enable(full, id)).toMatchObject({ status: 200 });
});
