import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { operatorsWarehouse } from "../../infra/testing/reference/dump.ts";
import { call, keyOf, newCustomer } from "../../infra/testing/service.ts";
import { folded, foldedSql } from "../../shared/geographies/folded-name.ts";
import type { Bbox } from "../../shared/geometry/bbox.ts";
import { touchesBox } from "../../shared/geometry/touches-box.ts";
import { geometryOf } from "../../shared/geometry/wkt-to-geojson.ts";

const key = keyOf(await newCustomer());
const Place = v.object({ geo_id: v.number(), geo_name: v.string(), lon: v.number(), lat: v.number(), geometry: v.string() });
const Page = v.object({ geographies: v.array(Place), next_cursor: v.nullable(v.string()) });

function get(query: Readonly<Record<string, string>> | string) {
  return call("data", "GET", `/geographies?${new URLSearchParams(query)}`, { key });
}

async function find(query: Readonly<Record<string, string>> | string): Promise<v.InferOutput<typeof Page>> {
  const answer = await get(query);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  return v.parse(Page, answer.body);
}

function idsOf({ geographies }: Pick<v.InferOutput<typeof Page>, "geographies">): number[] {
  return geographies.map(({ geo_id }) => geo_id);
}

const AREAS = { geo_type: "admin_level_4" };
const all = await find({ ...AREAS, limit: "1000" });
const [first] = all.geographies;
if (!first) throw new Error("the sample has no areas");

describe("geographies", () => {
  it("are those of the customer's default country and a type, with all fields, by ascending id", async () => {
    const { status, headers, body } = await get({ geo_type: "admin_level_2" });
    expect({ status, type: headers.get("content-type") }).toEqual({ status: 200, type: "application/json" });
    expect(body).toEqual({ geographies: expect.any(Array), next_cursor: null });
    const page = v.parse(Page, body);
    expect(idsOf(page)).toEqual(idsOf(page).toSorted((a, b) => a - b));
    expect(body).toHaveProperty(
      "geographies",
      expect.arrayContaining([
        {
          country_code: "EST",
          geo_type: "admin_level_2",
          geo_id: 784,
          geo_name: "Tallinn",
          lon: expect.closeTo(24.75, 0),
          lat: expect.closeTo(59.4, 0),
          geometry: expect.stringMatching(/^MULTIPOLYGON\(\(\(24\./),
        },
      ]),
    );
  });

  it.each(["LV", "lat"])("of another country that the key covers are returned for its code %s", async (country) => {
    const page = await find({ country_code: country, geo_type: "admin_level_2" });
    expect(page.geographies.map(({ geo_name }) => geo_name)).toContain("Rīga");
  });

  it("are 100 by default, and pages neither repeat nor omit any", async () => {
    const whole = await find({ geo_type: "grid_1000m", limit: "1000" });
    expect(whole.next_cursor).toBeNull();
    const pages = [await find({ geo_type: "grid_1000m" })];
    expect(pages[0]?.geographies).toHaveLength(100);
    for (let cursor = pages[0]?.next_cursor; cursor; cursor = pages.at(-1)?.next_cursor)
      pages.push(await find({ geo_type: "grid_1000m", limit: "300", cursor }));
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(idsOf)).toEqual(idsOf(whole));
  });

  it("have no next page if the last page is exactly full", async () => {
    const limit = String(all.geographies.length);
    expect((await find({ ...AREAS, limit })).next_cursor).toBeNull();
    expect((await find({ ...AREAS, limit: String(all.geographies.length - 1) })).next_cursor).not.toBeNull();
  });
});

/** The south-west corner of a shape's bounding box, as a box. */
function cornerOf(wkt: string): Bbox {
  const pairs = [...wkt.matchAll(/([\d.]+) ([\d.]+)/g)];
  const [west, south] = [1, 2].map((part) => Math.min(...pairs.map((pair) => Number(pair[part]))));
  return [west ?? 0, south ?? 0, west ?? 0, south ?? 0];
}

describe("the filter", () => {
  it("bbox selects what touches the box, and nothing else, on pages of any size", async () => {
    const { lon, lat, geometry } = first;
    const bbox: Bbox = [lon - 0.3, lat, lon + 0.3, 90];
    const touching = all.geographies.filter((place) => touchesBox(geometryOf(place.geometry), bbox));
    const centred = touching.filter((place) => Math.abs(place.lon - lon) <= 0.3 && place.lat >= lat);
    expect(touching.length).toBeGreaterThan(centred.length);
    expect(touching.length).toBeLessThan(all.geographies.length);
    const asked = { ...AREAS, bbox: bbox.join(",") };
    expect(idsOf(await find({ ...asked, limit: "1000" }))).toEqual(idsOf({ geographies: touching }));
    const page = await find({ ...asked, limit: "3" });
    const next = await find({ ...asked, limit: "3", cursor: page.next_cursor ?? "" });
    expect([...idsOf(page), ...idsOf(next)]).toEqual(idsOf({ geographies: touching.slice(0, 6) }));
    // A corner of its shape, far from its centroid.
    const [corner = ""] = geometry.slice("POLYGON((".length).split(", ");
    const [x, y] = corner.split(" ");
    expect(idsOf(await find({ ...AREAS, bbox: [x, y, x, y].join(",") }))).toContain(first.geo_id);
  });

  it("bbox of a sliver beside a slanted shape, within its bounding box, finds other shapes only", async () => {
    const slanted = all.geographies.find(({ geometry }) => !touchesBox(geometryOf(geometry), cornerOf(geometry)));
    expect(slanted).toBeDefined();
    const found = await find({ ...AREAS, bbox: cornerOf(slanted?.geometry ?? "").join(",") });
    expect(idsOf(found)).not.toContain(slanted?.geo_id);
  });

  it.each(["Põlts", "PÕLTS", "põlts", "õLts", "Po\u0303lts"])("q finds a part of the name in any letter case: %s", async (q) => {
    expect((await find({ geo_type: "admin_level_2", q })).geographies).toMatchObject([{ geo_name: "Põltsamaa" }]);
  });

  it.each([
    ...[
      ["Parnu", "EST", "Pärnu"],
      ["Voru", "EST", "Võru"],
      ["JOHVI", "EST", "Jõhvi"],
      ["polva", "EST", "Põlva"],
      ["  Tartu ", "EST", "Tartu"],
    ],
    ...[
      ["Riga", "LAT", "Rīga"],
      ["Jurmala", "LAT", "Jūrmala"],
      ["Tromso", "NOR", "Tromsø"],
      ["Alesund", "NOR", "Ålesund"],
      ["Bodo", "NOR", "Bodø"],
    ],
    ...[
      ["ÅLESUND", "NOR", "Ålesund"],
      ["Tromsø", "NOR", "Tromsø"],
      ["Pärnü", "EST", "Pärnu"],
    ],
  ])("q finds names without diacritics and without the blanks around it: %s", async (q = "", country = "", name = "") => {
    const { geographies } = await find({ country_code: country, geo_type: "admin_level_2", q });
    expect(geographies.map(({ geo_name }) => geo_name)).toContainEqual(expect.stringMatching(`^${name}`));
  });

  it("q of marks alone finds nothing, and one of blanks alone is refused", async () => {
    expect(await find({ geo_type: "admin_level_2", q: "\u0301" })).toEqual({ geographies: [], next_cursor: null });
    expect(await get({ geo_type: "admin_level_2", q: "  " })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/q", detail: "must not be empty" }] },
    });
  });

  it("q is folded by the warehouse as the console folds what it has", async () => {
    const texts = [
      "Ålesund",
      "TROMSØ",
      "Þórshöfn",
      "Straẞe ß",
      "Łódź",
      "ΟΔΟΣ οδος",
      "\u0130ı I",
      "Ŋuŧđŋa Ǥʒ Ǯ",
      "Œuvre Ærø Ǽ",
      "ﬁ Ⅳ",
      "Põ\u0303l-7 '",
      "Й日本",
    ];
    const query = `SELECT ARRAY_AGG(${foldedSql("text")} ORDER BY place) AS texts FROM UNNEST(@texts) AS text WITH OFFSET AS place`;
    const [rows] = await operatorsWarehouse().query({ query, params: { texts } });
    expect(rows).toEqual([{ texts: texts.map(folded) }]);
    expect(texts.slice(0, 5).map(folded)).toEqual(["alesund", "tromso", "thorshofn", "strasse ss", "lodz"]);
  });

  it.each(["%", "_", "\\", "N_o", "%vald", ".*", "'", "@name"])("q matches %s literally", async (q) => {
    const named = (await find({ geo_type: "admin_level_2", limit: "1000" })).geographies;
    expect(named.some(({ geo_name }) => geo_name.includes(q))).toBe(false);
    expect(await find({ geo_type: "admin_level_2", q })).toEqual({ geographies: [], next_cursor: null });
  });

  it("ids accepts a list in either form, returns each id once, and omits unknown ones", async () => {
    const [a, b] = idsOf(all);
    const expected = [a, b];
    for (const ids of [`ids=${b},${a}`, `ids=${b}&ids=${a}`, `ids=${a}&ids=${b},${a},1`])
      expect(idsOf(await find(`geo_type=admin_level_4&${ids}`)), ids).toEqual(expected);
  });

  it("ids accepts at most 500", async () => {
    const ids = Array.from({ length: 500 }, (_, index) => index + 1_000_000_000_000);
    expect(await get({ ...AREAS, ids: ids.join(",") })).toMatchObject({ status: 200, body: { geographies: [] } });
    expect(await get({ ...AREAS, ids: [...ids, 7].join(",") })).toMatchObject({ status: 400, body: { errors: [{ pointer: "/ids" }] } });
  });

  it("of each kind narrows the previous ones, on every page", async () => {
    const { lon, lat } = first;
    const bbox: Bbox = [lon - 2.5, 0, 180, lat + 0.5];
    const filters = { ...AREAS, bbox: bbox.join(","), q: "-", ids: idsOf(all).slice(0, 40).join(",") };
    const expected = all.geographies
      .slice(0, 40)
      .filter((place) => touchesBox(geometryOf(place.geometry), bbox) && place.geo_name.includes("-"));
    expect(expected.length).toBeGreaterThan(2);
    const start = await find({ ...filters, limit: "2" });
    const rest = await find({ ...filters, cursor: start.next_cursor ?? "" });
    expect([start, rest].flatMap(idsOf)).toEqual(expected.map(({ geo_id }) => geo_id));
    expect(rest.next_cursor).toBeNull();
  });
});

describe("as GeoJSON", () => {
  it("areas are features with the same members, and polygons that run counter-clockwise", async () => {
    const { headers, body } = await get({ ...AREAS, format: "geojson", ids: String(first.geo_id) });
    expect(headers.get("content-type")).toBe("application/geo+json");
    const { geometry, ...properties } = first;
    const points = geometry.slice("POLYGON((".length, -2).split(", ");
    const ring = points.map((point) => point.split(" ").map(Number));
    expect(body).toEqual({
      type: "FeatureCollection",
      features: [
        {
          type: "Feature",
          id: first.geo_id,
          properties: { country_code: "EST", geo_type: "admin_level_4", ...properties },
          geometry: { type: "Polygon", coordinates: [ring] },
        },
      ],
      next_cursor: null,
    });
  });

  it("road links are found by a box wherever there is Flow, by name and id too, on pages of any size", async () => {
    const bbox: Bbox = [24.72, 59.425, 24.77, 59.445];
    const sql = "SELECT link_id, name, ST_ASTEXT(geometry) AS line FROM mobility.road_links WHERE country_code = 'EST' ORDER BY link_id";
    const [rows] = await operatorsWarehouse().query({ query: sql, wrapIntegers: false });
    const links = v.parse(v.array(v.object({ link_id: v.number(), name: v.string(), line: v.string() })), rows);
    const expected = links.filter(({ line }) => touchesBox(geometryOf(line), bbox));
    expect(expected.length).toBeGreaterThan(10);
    expect(expected.length).toBeLessThan(links.length / 2);
    const asked = { geo_type: "osm_links", bbox: bbox.join(",") };
    const whole = await find({ ...asked, limit: "1000" });
    expect(whole.geographies.map(({ geo_id, geo_name, geometry }) => ({ link_id: geo_id, name: geo_name, line: geometry }))).toEqual(
      expected,
    );
    const page = await find({ ...asked, limit: "7" });
    const next = await find({ ...asked, limit: "1000", cursor: page.next_cursor ?? "" });
    expect([page, next].flatMap(idsOf)).toEqual(idsOf(whole));
    const [link] = expected;
    const named = expected.filter(({ name }) => name === link?.name).map(({ link_id }) => link_id);
    expect(idsOf(await find({ ...asked, q: link?.name ?? "", limit: "1000" }))).toEqual(expect.arrayContaining(named));
    expect(idsOf(await find({ ...asked, ids: `${link?.link_id},1` }))).toEqual([link?.link_id]);
    const sea = await find({ geo_type: "osm_links", bbox: "22,59.6,22.1,59.7" });
    expect(sea).toEqual({ geographies: [], next_cursor: null });
  });

  it("road links are lines, and their pages continue from a json cursor", async () => {
    const links = { country_code: "NOR", geo_type: "osm_links", limit: "2" };
    const { next_cursor: cursor } = await find(links);
    const { body } = await get({ ...links, format: "geojson", cursor: cursor ?? "" });
    const plain = await find({ ...links, cursor: cursor ?? "" });
    expect(body).toMatchObject({
      features: plain.geographies.map(({ geo_id }) => ({ id: geo_id, geometry: { type: "LineString" } })),
      next_cursor: plain.next_cursor,
    });
    expect(plain.geographies).toHaveLength(2);
  });
});
