import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { COUNTRY, K } from "../../infra/testing/privacy/nested-day.ts";
import { runAsLoader } from "../../infra/testing/raw-counts.ts";
import { fire, measureAgain, monitored, rowsOf } from "../../infra/testing/realtime.ts";
import { newTokenHolder } from "../../infra/testing/reference/customers.ts";
import { query } from "../../infra/testing/reference/tables.ts";
import { countries } from "../../shared/countries/countries.ts";
import { coverCountries } from "../../shared/countries/coverage-by-country.ts";
import { stepOf } from "../../shared/countries/step.ts";
import type { Polygon } from "../../shared/geometry/polygon.ts";
import { parsePolygon } from "../../shared/geometry/wkt.ts";

const { key } = await newTokenHolder();
// Older than what the tests of realtime measure again while they run, whose newest it must not become; the rows are the same.
const measured = new Date(Math.floor(Date.now() / 1000) * 1000 - 299_500);
await measureAgain(measured);

const Presence = v.array(
  v.object({ cell_id: v.number(), devices: v.number(), people: v.nullable(v.number()), area: v.number(), geometry: v.string() }),
);
/** The cells of the measurement with the areas around them, and their published people. */
const cells = v.parse(
  Presence,
  await runAsLoader(`SELECT raw.cell_id, raw.devices, published.people, parent_id AS area, geometry
    FROM intake.presence AS raw
    JOIN mobility.geographies AS place ON place.country_code = raw.country_code AND place.geo_type = 'grid_250m' AND place.geo_id = raw.cell_id
    LEFT JOIN realtime.presence AS published
      ON published.tick = raw.tick AND published.country_code = raw.country_code AND published.cell_id = raw.cell_id
      AND published.tick = TIMESTAMP '${measured.toISOString()}'
    WHERE raw.tick = TIMESTAMP '${measured.toISOString()}' AND raw.country_code = '${COUNTRY}'`),
);
/** The step of published people, below which a headcount is withheld. */
const STEP = stepOf(countries()[COUNTRY] ?? { k: Number.NaN, peopleOfDevice: undefined, isProtected: false, isStrict: false });
const few = cells.filter(({ devices }) => devices < K);
/** Areas of which a few cells are withheld and others are not. */
const areas = [...Map.groupBy(cells, ({ area }) => area)]
  .filter(([, inside]) => inside.some(({ devices }) => devices < K) && inside.some(({ devices }) => devices >= K))
  .slice(0, 3);

const grid = (ids: readonly number[]) => ({ type: "grid_250m", country_code: COUNTRY, ids });

/** The headcounts of maps that are switched on for one tick, by name, with their results. */
async function headcounts(maps: Readonly<Record<string, object>>): Promise<ReadonlyMap<string, readonly [string, number]>> {
  for (const group of inGroups(Object.entries(maps), 8)) await Promise.all(group.map(([name, map]) => monitored(key, { name, ...map })));
  await fire();
  return new Map((await rowsOf(key)).map((row) => [row.target_name, [row.result, row.subscriber_count]]));
}

describe("headcounts", () => {
  it("of maps that differ by withheld cells are equal; those of standard geographies count their published cells", async () => {
    expect(areas.length).toBeGreaterThan(0);
    const maps = areas.flatMap(([area, inside]) => {
      const ids = inside.map(({ cell_id: id }) => id);
      const published = inside.filter(({ devices }) => devices >= K).map(({ cell_id: id }) => id);
      const withheld = inside.flatMap(({ devices, cell_id: id }) => (devices < K ? [id] : [])).slice(0, 8);
      return [
        [`${area} area`, { type: "admin_level_4", country_code: COUNTRY, ids: [area] }],
        [`${area} cells`, grid(ids)],
        [`${area} published`, grid(published)],
        ...withheld.map((id) => [`${area} published and ${id}`, grid([...published, id])] as const),
        ...withheld.map((id) => [`${area} without ${id}`, grid(ids.filter((other) => other !== id))] as const),
      ] as const;
    });
    const counts = await headcounts(Object.fromEntries(maps));
    for (const [area, inside] of areas) {
      const people = inside.reduce((sum, cell) => sum + (cell.people ?? 0), 0);
      const own = [...counts].filter(([name]) => name.startsWith(`${area} `));
      expect(own.map(([, count]) => count)).toEqual(own.map(() => ["SUCCESS", people]));
      expect(own.length).toBeGreaterThanOrEqual(5);
    }
  });

  it("of polygons that differ by a withheld cell, or a part of one, are equal", async () => {
    const shares = [0.01, 0.1, 0.5, 0.9, 0.99];
    const outlines = await Promise.all(areas.map(async ([area, inside]) => ({ outline: ringOf(await geometryOf(area)), inside })));
    const drawn = outlines.flatMap(({ outline, inside }) =>
      inside
        .filter(({ devices }) => devices < K)
        .map(({ geometry }) => {
          const holes = shares.map((share) => `, (${shrunk(ringOf(geometry), share).join(", ")})`);
          return ["", ...holes].map((hole) => ({ type: "custom_polygon", geometry: `POLYGON((${outline.join(", ")})${hole})` }));
        }),
    );
    // A cell at the border of its area makes no hole.
    const polygons = drawn.find((each) => each.every(({ geometry }) => parsePolygon(geometry).ok)) ?? [];
    expect(polygons).toHaveLength(1 + shares.length);
    const counts = await headcounts(Object.fromEntries(polygons.map((polygon, index) => [`hole ${index}`, polygon])));
    const results = [...counts].filter(([name]) => name.startsWith("hole ")).map(([, count]) => count);
    expect(results).toEqual(polygons.map(() => ["SUCCESS", results[0]?.[1]]));
    expect(results[0]?.[1]).toBeGreaterThan(0);
  });

  it("of withheld cells are withheld, alone and together: their sum is not published either", async () => {
    const together = few.slice(0, 10).map(({ cell_id: id }) => id);
    const people = few.slice(0, 10).reduce((sum, { devices }) => sum + devices, 0);
    expect(people).toBeGreaterThan(K);
    const counts = await headcounts({ together: grid(together), ...Object.fromEntries(together.map((id) => [`alone ${id}`, grid([id])])) });
    const results = [...counts].filter(([name]) => /^(together|alone)/.test(name)).map(([, count]) => count);
    expect(results).toEqual(Array.from({ length: 11 }, () => ["SUPPRESSED", 0]));
  });

  it("of a cell with a few devices and of one with nobody are the same, result and timestamp: neither is without data", async () => {
    const present = new Set(cells.map(({ cell_id: id }) => id));
    const sql = `SELECT geo_id FROM mobility.geographies WHERE country_code = '${COUNTRY}' AND geo_type = 'grid_250m' ORDER BY geo_id`;
    const empty = v.parse(v.array(v.object({ geo_id: v.number() })), await query(sql)).filter(({ geo_id: id }) => !present.has(id));
    const ids = [...few.slice(0, 4).map(({ cell_id: id }) => id), ...empty.slice(0, 4).map(({ geo_id: id }) => id)];
    expect(ids).toHaveLength(8);
    await headcounts(Object.fromEntries(ids.map((id) => [`one cell ${id}`, grid([id])])));
    const rows = (await rowsOf(key)).filter(({ target_name: name }) => name.startsWith("one cell "));
    const told = rows.map(({ result, subscriber_count: people, timestamp }) => [result, people, timestamp]);
    expect(told).toEqual(ids.map(() => ["SUPPRESSED", 0, rows[0]?.timestamp]));
  });

  it("of slivers of a published cell are of a step at least, or withheld", async () => {
    const cell = cells.filter(({ devices }) => devices >= K).sort((one, other) => (one.people ?? 0) - (other.people ?? 0))[0];
    expect(cell?.people).toBe(STEP);
    const ring = ringOf(cell?.geometry ?? "");
    const shares = [0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8];
    const polygons = shares.map((share) => ({ type: "custom_polygon", geometry: `POLYGON((${shrunk(ring, share).join(", ")}))` }));
    const counts = await headcounts({
      whole: grid([cell?.cell_id ?? 0]),
      ...Object.fromEntries(polygons.map((polygon, index) => [`sliver ${index}`, polygon])),
    });
    expect(counts.get("whole")).toEqual(["SUCCESS", STEP]);
    const results = [...counts].filter(([name]) => name.startsWith("sliver ")).map(([, count]) => count);
    expect(results).toEqual(shares.map(() => ["SUPPRESSED", 0]));
  });

  it("of one published cell are multiples of a step, so that they tell nobody's coming or going", () => {
    const told = cells.filter(({ people }) => people !== null);
    expect(told.length).toBeGreaterThan(100);
    expect(told.filter(({ devices, people }) => devices < K || (people ?? 0) < STEP || (people ?? 0) % STEP !== 0)).toEqual([]);
  });

  it("of a few devices beside the network are those of nobody there: only the network decides what is covered", async () => {
    const [few, nobody] = [squareAtSea(57.8), squareAtSea(57.9)];
    const [cell] = coverCountries(polygonOf(few), countries()).flatMap(({ cells: covered }) =>
      covered.filter(({ weight }) => weight === 1),
    );
    await addPresence(v.parse(v.number(), cell?.cellId), K - 1);
    await headcounts({ "sea few": few, "sea nobody": nobody });
    const [withFew, withNobody] = (await rowsOf(key)).filter(({ target_name: name }) => name.startsWith("sea "));
    expect(withFew).toEqual({ ...withNobody, target_id: withFew?.target_id, target_name: "sea few" });
    expect(withNobody?.result).toBe("OUT_OF_COVERAGE");
  });
});

/** Adds devices in a cell to every measurement that a tick of this test can be the newest to find. They are too few to be published. */
function addPresence(cell: number, devices: number) {
  return runAsLoader(`INSERT INTO \`intake.presence\` (tick, country_code, cell_id, people, devices)
SELECT tick, country_code, ${cell}, ${3 * devices}, ${devices} FROM \`mobility.batches\`
WHERE table_name = 'presence' AND country_code = '${COUNTRY}' AND tick >= TIMESTAMP '${measured.toISOString()}'`);
}

/** A square of about a kilometre in the Baltic Sea, in the grid of the country and beside its network. */
function squareAtSea(south: number) {
  const [west, east, north] = [20.65, 20.67, south + 0.01];
  const corners = [`${west} ${south}`, `${east} ${south}`, `${east} ${north}`, `${west} ${north}`, `${west} ${south}`];
  return { type: "custom_polygon", geometry: `POLYGON((${corners.join(", ")}))` };
}

function polygonOf({ geometry }: { readonly geometry: string }): Polygon {
  const parsed = parsePolygon(geometry);
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed.polygon;
}

async function geometryOf(area: number): Promise<string> {
  const sql = `SELECT geometry FROM mobility.geographies WHERE country_code = '${COUNTRY}' AND geo_type = 'admin_level_4' AND geo_id = ${area}`;
  const [row] = v.parse(v.tuple([v.object({ geometry: v.string() })]), await query(sql));
  return row.geometry;
}

/** The positions of the ring of a polygon, "longitude latitude". */
function ringOf(polygon: string): string[] {
  return polygon.replace(/^POLYGON\(\(|\)\)$/g, "").split(", ");
}

/** A ring around the middle of another, with this share of its width. */
function shrunk(ring: readonly string[], share: number): string[] {
  const points = ring.map((position) => position.split(" ").map(Number));
  const middle = [0, 1].map((axis) => points.slice(1).reduce((sum, point) => sum + (point[axis] ?? 0), 0) / (points.length - 1));
  return points.map((point) => point.map((value, axis) => (middle[axis] ?? 0) + share * (value - (middle[axis] ?? 0))).join(" "));
}

/** Some maps at once: a service on a busy machine refuses many. */
function inGroups<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}
