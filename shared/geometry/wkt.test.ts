import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Polygon } from "./polygon.ts";
import { polygons } from "./testing/polygon-arbitrary.ts";
import { parsePolygon } from "./wkt.ts";

const TRIANGLE = {
  ok: true,
  polygon: {
    rings: [
      [
        [10, 59],
        [10.5, 59],
        [10, 59.5],
        [10, 59],
      ],
    ],
  },
};
const OSLO = [4, 57.8, 31.4, 71] as const;

function wktOf({ rings }: Polygon): string {
  return `POLYGON(${rings.map((ring) => `(${ring.map((point) => point.join(" ")).join(", ")})`).join(", ")})`;
}

describe("a polygon is accepted", () => {
  it.each([
    "POLYGON((10 59, 10.5 59, 10 59.5, 10 59))",
    "polygon((10 59,10.5 59,10 59.5,10 59))",
    "PoLyGoN  ( ( 10   59 , 10.5 59 , 10 59.5 , 10 59 ) ) ",
    "\n\tPOLYGON\r\n((\t10 59,\n10.5 59,\n10 59.5,\n10 59\n)\n)\f\v\n",
    "POLYGON((+10 59., 1.05e1 5.9E+1, 10.0 595e-1, 1e+1 0059))",
    "POLYGON((10 59, 10.50000000000000000000000001 59, 10 59.5, 10 59))",
  ])("whatever its letter case, spacing and way to write numbers: %j", (text) => {
    expect(parsePolygon(text)).toEqual(TRIANGLE);
  });

  it.each([
    ["clockwise", "POLYGON((0 0, 0 0.1, 0.1 0.1, 0.1 0, 0 0))"],
    ["on the equator and the meridian, with a minus and no digits before the point", "POLYGON((-.1 -.1, .1 -.1, .1 .1, -.1 .1, -.1 -.1))"],
    ["with -0", "POLYGON((-0 0, 0.1 0, 0.1 0.1, 0 -0))"],
    ["at the edges of the world", "POLYGON((179.9 89.9, 180 89.9, 180 90, 179.9 90, 179.9 89.9))"],
    ["with a point on a straight side", "POLYGON((0 0, 0.05 0, 0.1 0, 0.1 0.1, 0 0))"],
    ["with repeated points", "POLYGON((0 0, 0 0, 0.1 0, 0.1 0, 0.1 0.1, 0 0, 0 0))"],
    ["of two square metres", "POLYGON((0 0, 2e-5 0, 0 2e-5, 0 0))"],
    ["narrower than a hair", "POLYGON((0 0, 0.1 1e-9, 0.2 0, 0.1 -1e-9, 0 0))"],
    [
      "with a hole of either direction",
      "POLYGON((0 0, 0.4 0, 0.4 0.4, 0 0.4, 0 0), (0.1 0.1, 0.2 0.1, 0.2 0.2, 0.1 0.1), (0.3 0.3, 0.2 0.3, 0.3 0.2, 0.3 0.3))",
    ],
    ["with a hole that touches the shell in a point", "POLYGON((0 0, 0.4 0, 0.4 0.4, 0 0.4, 0 0), (0 0.2, 0.1 0.1, 0.1 0.3, 0 0.2))"],
    [
      "with holes that touch each other in a point",
      "POLYGON((0 0, 0.4 0, 0.4 0.4, 0 0.4, 0 0), (0.1 0.1, 0.2 0.1, 0.2 0.2, 0.1 0.1), (0.2 0.2, 0.3 0.2, 0.3 0.3, 0.2 0.2))",
    ],
  ])("%s", (_name, text) => {
    expect(parsePolygon(text)).toMatchObject({ ok: true });
  });

  it("with 10,000 vertices", () => {
    const points = Array.from({ length: 10_000 }, (_, index) => {
      const angle = (2 * Math.PI * index) / 10_000;
      const radius = index % 2 ? 0.1 : 0.09;
      return `${(radius * Math.cos(angle)).toFixed(7)} ${(radius * Math.sin(angle)).toFixed(7)}`;
    });
    expect(parsePolygon(`POLYGON((${[...points, points[0]].join(",")}))`)).toMatchObject({ ok: true });
  });
});

describe("any text", () => {
  it("of a valid polygon parses to exactly its numbers", () => {
    fc.assert(
      fc.property(polygons(OSLO, 0.1), (polygon) => {
        expect(parsePolygon(wktOf(polygon))).toEqual({ ok: true, polygon });
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  it("with one stray character added parses to the same polygon or is rejected with a short message", () => {
    const stray = fc.constantFrom(..."(),; \t.-+eE0#é\u0000\u{1F5FA}");
    const seen = { same: 0, refused: 0 };
    fc.assert(
      fc.property(polygons(OSLO, 0.1), stray, fc.double({ min: 0, max: 1, noNaN: true }), (polygon, character, share) => {
        const text = wktOf(polygon);
        const at = Math.floor(text.length * share);
        const parsed = parsePolygon(text.slice(0, at) + character + text.slice(at));
        seen[parsed.ok ? "same" : "refused"]++;
        if (parsed.ok) expect(parsed.polygon.rings.map((ring) => ring.length)).toEqual(polygon.rings.map((ring) => ring.length));
        else expect(parsed.detail.length).toBeLessThan(250);
      }),
      { numRuns: 1500, seed: 2 },
    );
    expect(Math.min(seen.same, seen.refused)).toBeGreaterThan(100);
  });

  it("that is truncated or random is rejected", () => {
    fc.assert(
      fc.property(polygons(OSLO, 0.1), fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), (polygon, share) => {
        const text = wktOf(polygon);
        expect(parsePolygon(text.slice(0, Math.floor(text.length * share))).ok).toBe(false);
      }),
      { numRuns: 500, seed: 3 },
    );
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom(..."POLYGON((0 1,.-e)") })), (text) => {
        expect(parsePolygon(text).ok).toBe(false);
      }),
      { numRuns: 1000, seed: 4 },
    );
  });
});
