import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { call, keyOf, newCustomer } from "../../infra/testing/service.ts";

const key = keyOf(await newCustomer());
const AREAS = { geo_type: "admin_level_4" };

function get(query: Readonly<Record<string, string>> | string, as = key) {
  return call("data", "GET", `/geographies?${new URLSearchParams(query)}`, { key: as });
}

/** Where the first page of one area ends. */
async function someCursor(): Promise<string> {
  return v.parse(v.object({ next_cursor: v.string() }), (await get({ ...AREAS, limit: "1" })).body).next_cursor;
}

it("an unknown country is told together with other invalid fields", async () => {
  const { body } = await get({ geo_type: "county", country_code: "XX", limit: "0" });
  const pointers = ["/geo_type", "/limit", "/country_code"];
  expect(body).toHaveProperty(
    "errors",
    pointers.map((pointer) => expect.objectContaining({ pointer })),
  );
});

describe("a request is rejected", () => {
  it.each([
    ["without a type", {}, { pointer: "/geo_type", detail: expect.stringMatching(/^is required: grid_250m, /) }],
    ["with an unknown type", { geo_type: "county" }, { pointer: "/geo_type", allowed: expect.arrayContaining(["grid_250m"]) }],
    ["with an unknown country", { ...AREAS, country_code: "XX" }, { pointer: "/country_code", allowed: expect.arrayContaining(["EST"]) }],
    [
      "with a box that runs east to west",
      { ...AREAS, bbox: "25,59,24,60" },
      { pointer: "/bbox", detail: expect.stringMatching(/^west \(25\) must not be greater/) },
    ],
    [
      "with a box of three",
      { ...AREAS, bbox: "25,59,24" },
      { pointer: "/bbox", detail: "must be four numbers, west,south,east,north in degrees; it has 3" },
    ],
    [
      "with the axes of the box swapped",
      { ...AREAS, bbox: "59.3,24.5,59.5,25" },
      { pointer: "/bbox", detail: "lies outside EST; did you swap longitude and latitude? The order is west,south,east,north" },
    ],
    ["with an empty q", { ...AREAS, q: "" }, { pointer: "/q", detail: "must not be empty" }],
    [
      "with a control character in q",
      { ...AREAS, q: "a\u0000" },
      { pointer: "/q", detail: "must hold no control, text-direction or invisible characters; character 2 is U+0000" },
    ],
    ["with an unknown format", { ...AREAS, format: "kml" }, { pointer: "/format", allowed: ["json", "geojson"] }],
    ["with a limit of 0", { ...AREAS, limit: "0" }, { pointer: "/limit", detail: "must be a whole number from 1 to 1,000" }],
    ["with a limit of 1,001", { ...AREAS, limit: "1001" }, { pointer: "/limit", detail: "must be a whole number from 1 to 1,000" }],
    ["with a limit that is no number", { ...AREAS, limit: "1e2" }, { pointer: "/limit" }],
    ["with a made-up cursor", { ...AREAS, cursor: "AAAAAAAAAxAAAAAAAAAAAA" }, { pointer: "/cursor" }],
  ])("%s", async (_what, query, error) => {
    expect(await get(query)).toMatchObject({ status: 400, body: { code: "invalid_argument", errors: [error] } });
  });

  it("with a type twice, or a cursor of other filters", async () => {
    expect(await get("geo_type=grid_250m&geo_type=grid_1000m")).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/geo_type" }] },
    });
    const cursor = await someCursor();
    for (const other of [{ geo_type: "grid_1000m" }, { ...AREAS, country_code: "LAT" }, { ...AREAS, q: "a" }])
      expect(await get({ ...other, cursor })).toMatchObject({ status: 400, body: { errors: [{ pointer: "/cursor" }] } });
  });

  it("with all errors at once", async () => {
    expect(await get({ geo_type: "x", bbox: "x,91,1,1", limit: "0", colour: "red" })).toMatchObject({
      status: 400,
      body: { errors: ["/colour", "/geo_type", "/bbox", "/bbox", "/limit"].map((pointer) => ({ pointer })) },
    });
  });

  it("for road links without a box if no product of the country counts by them", async () => {
    const detail = "is required for osm_links in EST: no product counts by them there";
    for (const query of [{}, { q: "Viru" }, { ids: "1" }])
      expect(await get({ geo_type: "osm_links", ...query })).toMatchObject({
        status: 400,
        body: { code: "invalid_argument", errors: [{ pointer: "/bbox", detail }] },
      });
  });

  it("for a country that the key does not cover, by its code or by another customer's cursor", async () => {
    const stranger = keyOf(await newCustomer({ countries: ["LAT"], defaultCountry: "LAT" }));
    const cursor = await someCursor();
    for (const query of [
      { ...AREAS, country_code: "EST" },
      { ...AREAS, country_code: "EST", cursor },
    ])
      expect(await get(query, stranger)).toMatchObject({ status: 403, body: { code: "permission_denied" } });
    expect(await get({ geo_type: "admin_level_2", q: "Rīga" }, stranger)).toMatchObject({
      body: { geographies: [{ country_code: "LAT" }] },
    });
  });
});
