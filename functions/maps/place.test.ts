import { expect, it } from "vitest";
import { createMap } from "../../infra/testing/realtime.ts";
import { call, keyOf, newCustomer } from "../../infra/testing/service.ts";

const customer = await newCustomer({ countries: ["EST", "LAT"] });
const key = keyOf(customer);
const TALLINN = "POLYGON((24.7 59.4, 24.8 59.4, 24.8 59.45, 24.7 59.4))";
const SWAPPED = "POLYGON((59.4 24.7, 59.4 24.8, 59.45 24.8, 59.4 24.7))";
const PARIS = "POLYGON((2.30 48.85, 2.36 48.85, 2.36 48.88, 2.30 48.85))";
const OSLO = "POLYGON((10.7 59.9, 10.8 59.9, 10.8 59.95, 10.7 59.9))";
/** Around Riga with a bay: its bounding box holds the whole extent of neither country. */
const ACROSS = "POLYGON((20.3 57.5, 20.7 57.5, 20.7 57.6, 20.3 57.5))";

const post = (geometry: string) => call("users", "POST", "/admin/maps", { key, body: { name: "a map", type: "custom_polygon", geometry } });
const refusal = (detail: string) => ({ status: 400, body: { code: "invalid_argument", errors: [{ pointer: "/geometry", detail }] } });

it.each([
  ["in a country of the key", TALLINN],
  ["partly in a country of the key", ACROSS],
])("a polygon %s is saved", async (_where, geometry) => {
  expect(await post(geometry)).toMatchObject({ status: 201 });
});

it.each([
  ["far away", PARIS, "lies outside the countries of this key (EST, LAT)"],
  ["in a country that the customer does not have", OSLO, "lies outside the countries of this key (EST, LAT)"],
  [
    "with longitude and latitude swapped",
    SWAPPED,
    "lies outside the countries of this key (EST, LAT); did you swap longitude and latitude? Longitude comes first: 24.7 59.4, not 59.4 24.7",
  ],
])("a polygon %s is refused, also as a change, and the map stays as it was", async (_where, geometry, detail) => {
  expect(await post(geometry)).toMatchObject(refusal(detail));
  const id = await createMap(key, { type: "custom_polygon", geometry: TALLINN });
  expect(await call("users", "PUT", `/admin/maps/${id}`, { key, body: { geometry } })).toMatchObject(refusal(detail));
  const { body } = await call("users", "GET", "/admin/maps", { key });
  expect(body).toMatchObject({ maps: expect.arrayContaining([expect.objectContaining({ id, geometry: TALLINN })]) });
});

it("a map keeps its polygon when a key of another country changes its name", async () => {
  const id = await createMap(key, { type: "custom_polygon", geometry: TALLINN });
  expect(await call("users", "PUT", `/admin/maps/${id}`, { key, body: { name: "renamed" } })).toMatchObject({ status: 200 });
});
