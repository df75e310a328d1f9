import * as v from "valibot";
import { expect, it } from "vitest";
import { call, keyOf, newCustomer } from "../../infra/testing/service.ts";

const key = keyOf(await newCustomer());
const RING = "(24.7 59.4, 24.8 59.4, 24.8 59.45, 24.7 59.45, 24.7 59.4)";
/** The square with this text as its second point. */
const withPoint = (point: string): string => `POLYGON((24.7 59.4, ${point}, 24.8 59.45, 24.7 59.45, 24.7 59.4))`;
/** The square with a hole. */
const withHole = (...points: string[]): string => `POLYGON(${RING}, (${points.join(", ")}))`;

const NO_POLYGONS = [
  "",
  " ",
  "Tallinn",
  "POINT(24.7 59.4)",
  "LINESTRING(24.7 59.4, 24.8 59.4)",
  `MULTIPOLYGON((${RING}))`,
  "POLYGON EMPTY",
];
const FRAMED = [
  `SRID=4326;POLYGON(${RING})`,
  `POLYGON(${RING}) and more`,
  `POLYGON(${RING});`,
  `POLYGON(${RING}, )`,
  `POLYGON${RING}`,
  `POLYGON((${RING}))`,
];
const BROKEN = [
  "POLYGON",
  "POLYGON(",
  "POLYGON()",
  "POLYGON(())",
  `POLYGON(${RING}`,
  `POLYGON ${RING})`,
  "POLYGON((",
  "POLYGON((24.7",
  "POLYGON((24.7 59.4",
];
const DIMENSIONS = [
  `POLYGON Z(${RING})`,
  `POLYGON M(${RING})`,
  withPoint("24.8 59.4 10"),
  withPoint("24.8 59.4 10 20"),
  withPoint("24.8"),
  withPoint(""),
];
const NUMBERS = [
  "NaN 59.4",
  "Infinity 59.4",
  "-Infinity 59.4",
  "1e400 59.4",
  "0x18 59.4",
  "24,8 59.4",
  "24.8. 59.4",
  "--24.8 59.4",
  "+-1 59.4",
  "24.8e 59.4",
  "east 59.4",
  "24°48' 59.4",
];
const RANGE = ["181 59.4", "-180.001 59.4", "24.8 90.01", "59.4 124.8", "1e3 59.4", "24.8 -91"];
const RINGS = [
  "POLYGON((24.7 59.4, 24.8 59.4, 24.8 59.45))",
  "POLYGON((24.7 59.4, 24.8 59.4, 24.8 59.45, 24.7 59.45))",
  "POLYGON((24.7 59.4, 24.7 59.4, 24.7 59.4, 24.7 59.4))",
  "POLYGON((24.7 59.4, 24.8 59.4, 24.7 59.4, 24.7 59.4))",
  "POLYGON((24.7 59.4, 24.8 59.45, 24.8 59.4, 24.7 59.45, 24.7 59.4))",
  "POLYGON((24.7 59.4, 24.8 59.4, 24.8 59.45, 24.75 59.4, 24.7 59.45, 24.7 59.4))",
  "POLYGON((24.7 59.4, 24.8 59.4, 24.8 59.45, 24.8 59.5, 24.8 59.45, 24.7 59.45, 24.7 59.4))",
];
const HOLES = [
  withHole("25.7 59.41", "25.71 59.41", "25.71 59.42", "25.7 59.41"),
  withHole("24.75 59.42", "24.9 59.42", "24.9 59.43", "24.75 59.42"),
  withHole("24.7 59.4", "24.8 59.4", "24.8 59.45", "24.7 59.45", "24.7 59.4"),
  withHole("24.71 59.4", "24.75 59.4", "24.73 59.42", "24.71 59.4"),
  `${withHole("24.71 59.41", "24.75 59.41", "24.73 59.43", "24.71 59.41").slice(0, -1)}, (24.72 59.41, 24.74 59.41, 24.73 59.42, 24.72 59.41))`,
  `POLYGON(${RING}, (24.71 59.41, 24.73 59.41, 24.73 59.43, 24.71 59.43, 24.71 59.41), (24.73 59.41, 24.75 59.41, 24.75 59.43, 24.73 59.43, 24.73 59.41))`,
];
const LARGE = [
  `POLYGON((${Array.from({ length: 10_001 }, (_, n) => `${24 + n * 1e-5} 59.4`).join(", ")}, 24 60, 24 59.4))`,
  "POLYGON((20 55, 30 55, 30 60, 20 60, 20 55))",
  `POLYGON(${RING}${" ".repeat(300_000)})`,
  `POLYGON${"(".repeat(100_000)}`,
  `POLYGON((24.7${"0".repeat(270_000)} 59.4))`,
];
const CORPUS = [
  ...[...NO_POLYGONS, ...FRAMED, ...BROKEN, ...DIMENSIONS, ...RINGS, ...HOLES, ...LARGE],
  ...[...NUMBERS, ...RANGE].map(withPoint),
];

const Problem = v.object({ code: v.string(), errors: v.array(v.object({ pointer: v.string(), detail: v.string() })) });

it(`refuses each of ${CORPUS.length} invalid geometries with the reason, and stores none`, async () => {
  expect(CORPUS.length).toBeGreaterThanOrEqual(60);
  for (const geometry of CORPUS) {
    const { status, body } = await call("users", "POST", "/admin/maps", { key, body: { name: "bad", type: "custom_polygon", geometry } });
    const shown = geometry.slice(0, 100);
    expect(status, shown).toBe(400);
    const { code, errors } = v.parse(Problem, body);
    expect([code, errors.map(({ pointer }) => pointer)], shown).toEqual(["invalid_argument", ["/geometry"]]);
    expect(errors[0]?.detail.length, shown).toBeGreaterThan(10);
    expect(JSON.stringify(body).length, shown).toBeLessThan(2000);
  }
  expect((await call("users", "GET", "/admin/maps", { key })).body).toEqual({ maps: [] });
});

it.each([
  ["a number", 5],
  ["null", null],
  ["a GeoJSON object", { type: "Polygon", coordinates: [] }],
  ["a list", [RING]],
])("rejects %s as a geometry", async (_what, geometry) => {
  const answer = await call("users", "POST", "/admin/maps", { key, body: { name: "bad", type: "custom_polygon", geometry } });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: "/geometry" }] } });
});
