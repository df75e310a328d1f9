import { describe, expect, it } from "vitest";
import { createMap, monitor } from "../../infra/testing/realtime.ts";
import { call, keyOf, newCustomer } from "../../infra/testing/service.ts";

const [customer, other] = [await newCustomer({ countries: ["EST", "LAT"] }), await newCustomer()];
const key = keyOf(customer);
const TALLINN = "POLYGON((24.7 59.4, 24.8 59.4, 24.8 59.45, 24.7 59.4))";

describe("GET /admin/maps/{id}", () => {
  it("answers the whole map with its ETag and whether it is monitored", async () => {
    const id = await createMap(key, { type: "custom_polygon", geometry: TALLINN });
    const get = () => call("users", "GET", `/admin/maps/${id}`, { key });
    const first = await get();
    expect(first).toMatchObject({ status: 200, body: { id, type: "custom_polygon", geometry: TALLINN, is_monitored: false } });
    await monitor(key, id);
    const second = await get();
    expect(second.body).toMatchObject({ id, is_monitored: true });
    expect(second.headers.get("etag")).not.toBe(first.headers.get("etag"));
  });

  it("is a 404 for another's map and an unknown one; the monitored list is no map", async () => {
    const id = await createMap(key, { type: "custom_polygon", geometry: TALLINN });
    for (const [path, asker] of [
      [id, keyOf(other)],
      ["x".repeat(20), key],
      ["nothing", key],
    ] as const)
      expect(await call("users", "GET", `/admin/maps/${path}`, { key: asker })).toMatchObject({ status: 404 });
    expect((await call("users", "GET", "/admin/maps/monitored", { key })).body).toHaveProperty("monitored_map_ids");
  });
});

describe("GET /admin/maps", () => {
  it("leaves out what `fields` does not name, on pages too", async () => {
    const own = await newCustomer();
    const ownKey = keyOf(own);
    const [first, second] = [
      await createMap(ownKey, { name: "first", type: "custom_polygon", geometry: TALLINN }),
      await createMap(ownKey, { name: "second", type: "admin_level_2", ids: [784] }),
    ];
    const list = async (query: string) => (await call("users", "GET", `/admin/maps?${query}`, { key: ownKey })).body;
    expect(await list("fields=name,is_monitored")).toEqual({
      maps: [
        { id: first, name: "first", is_monitored: false },
        { id: second, name: "second", is_monitored: false },
      ],
    });
    expect(await list("fields=type,country_code&limit=1")).toMatchObject({ maps: [{ id: first, type: "custom_polygon" }] });
    expect(await list("fields=ids")).toEqual({ maps: [{ id: first }, { id: second, ids: [784] }] });
    expect(await list("fields=name,size")).toMatchObject({
      status: 400,
      errors: [{ pointer: "/fields", detail: expect.stringContaining('has the unknown field "size"; the fields are id, name') }],
    });
  });
});

describe("POST /admin/maps/check", () => {
  const check = async (body: object, asker = key) => {
    const answer = await call("users", "POST", "/admin/maps/check", { key: asker, body });
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
    return answer.body;
  };
  const polygon = (geometry: string) => ({ type: "custom_polygon", geometry });

  it("measures a polygon and stores nothing", async () => {
    const own = await newCustomer({ countries: ["EST", "LAT"] });
    expect(await check({ name: "A map", ...polygon(TALLINN) }, keyOf(own))).toEqual({
      // Half of 5.68 km by 5.57 km.
      area_km2: expect.closeTo(15.8, 1),
      cells: expect.any(Number),
      countries: ["EST"],
      errors: [],
    });
    expect((await call("users", "GET", "/admin/maps", { key: keyOf(own) })).body).toEqual({ maps: [] });
  });

  it.each([
    ["a ring that crosses itself", "POLYGON((24.7 59.4, 24.8 59.45, 24.8 59.4, 24.7 59.45, 24.7 59.4))", { ring: 1, point: 1 }],
    ["an open ring", "POLYGON((24.7 59.4, 24.8 59.4, 24.8 59.45, 24.71 59.41))", { ring: 1, point: 4 }],
    ["a latitude beyond the pole", "POLYGON((24.7 59.4, 24.8 59.4, 24.8 99.45, 24.7 59.4))", { ring: 1, point: 3 }],
    ["a faulty hole", "POLYGON((24 59, 25 59, 25 59.4, 24 59), (24.7 59.1, 24.8 59.1, 24.7 59.1))", { ring: 2 }],
    ["no polygon", "hello", {}],
  ])("names the fault of %s, its ring and its point", async (_what, geometry, place) => {
    expect(await check(polygon(geometry))).toEqual({
      ...{ area_km2: null, cells: null, countries: [] },
      errors: [{ pointer: "/geometry", detail: expect.any(String), ...place }],
    });
  });

  it("tells what creating would refuse: the wrong country, unknown ids", async () => {
    expect(await check(polygon("POLYGON((10.7 59.9, 10.8 59.9, 10.8 59.95, 10.7 59.9))"))).toMatchObject({
      countries: [],
      errors: [{ pointer: "/geometry", detail: "lies outside the countries of this key (EST, LAT)" }],
    });
    expect(await check({ type: "admin_level_2", ids: [784, 1], country_code: "EST" })).toEqual({
      ...{ area_km2: null, cells: null, countries: ["EST"] },
      errors: [{ pointer: "/ids", detail: "must be ids of admin_level_2 in EST; these are not: 1" }],
    });
    expect(await check({ type: "admin_level_2", ids: [784] })).toMatchObject({ errors: [] });
  });
});
