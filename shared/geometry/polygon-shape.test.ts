import { describe, expect, it } from "vitest";
import { parsePolygon } from "./wkt.ts";

const SQUARE = [0, 0, 6, 0, 6, 6, 0, 6, 0, 0];
const UNIT = 1 / 16;

/** The error of a polygon whose coordinates are in sixteenths of a degree, so that squares of six stay below the area limit. */
const fault = (rings: readonly (readonly number[])[]): string | undefined => {
  const text = rings.map((ring) => `(${ring.map((value, index) => `${index % 2 || index === 0 ? "" : ", "}${value * UNIT} `).join("")})`);
  const parsed = parsePolygon(`POLYGON(${text.join(", ")})`);
  return parsed.ok ? undefined : parsed.detail;
};

describe("a single ring", () => {
  const line = "has no area: all of its points lie on one line; at least 3 of them must not";
  const spike = "the ring turns back on itself (a spike); it must not run back along the side it came on";
  const crossing = "the sides of a ring may meet only where one follows the other";
  const once = "a ring may pass a point only once";
  const stretch = "two sides may share a point but not a stretch";
  it.each([
    ["on a slanted line", [[0, 0, 1, 1, 2, 2, 0, 0]], `ring 1 ${line}`],
    ["of one point", [[1, 1, 1, 1, 1, 1, 1, 1]], `ring 1 ${line}`],
    ["of two points there and back", [[0, 0, 5, 3, 0, 0, 0, 0]], `ring 1 ${line}`],
    ["a hole on a line", [SQUARE, [1, 1, 2, 2, 3, 3, 1, 1]], `ring 2 (hole) ${line}`],
    ["with a spike", [[0, 0, 6, 0, 6, 6, 6, 9, 6, 6, 0, 6, 0, 0]], `ring 1, point 4: ${spike}`],
    ["with a spike where it begins", [[6, 9, 6, 0, 0, 0, 0, 6, 6, 6, 6, 9]], `ring 1, point 1: ${spike}`],
    ["with a spike inward", [[0, 0, 6, 0, 6, 6, 3, 6, 3, 2, 3, 6, 0, 6, 0, 0]], `ring 1, point 5: ${spike}`],
    ["with a spike behind a repeated point", [[0, 0, 6, 0, 6, 0, 2, 0, 6, 6, 0, 0]], `ring 1, point 2: ${spike}`],
    ["a bow tie", [[0, 0, 6, 6, 6, 0, 0, 6, 0, 0]], `ring 1: segments 1-2 and 3-4 cross near (0.1875, 0.1875); ${crossing}`],
    [
      "a bow tie in a hole",
      [SQUARE, [1, 1, 3, 3, 3, 1, 1, 3, 1, 1]],
      `ring 2 (hole): segments 1-2 and 3-4 cross near (0.125, 0.125); ${crossing}`,
    ],
    ["a pentagram", [[0, 4, 8, 4, 2, 0, 4, 7, 6, 0, 0, 4]], `ring 1: segments 3-4 and 5-6 cross near (0.165, 0.14); ${crossing}`],
    ["a corner on a side", [[0, 0, 6, 0, 6, 6, 3, 0, 0, 6, 0, 0]], `ring 1: segments 1-2 and 4-5 touch at (0.1875, 0); ${once}`],
    [
      "a corner passed twice",
      [[0, 0, 3, 3, 6, 0, 6, 6, 3, 3, 0, 6, 0, 0]],
      `ring 1: segments 1-2 and 4-5 touch at (0.1875, 0.1875); ${once}`,
    ],
    [
      "a hole made of the ring",
      [[0, 0, 6, 0, 3, 4, 2, 2, 4, 2, 3, 4, 0, 0]],
      `ring 1: segments 2-3 and 5-6 touch at (0.1875, 0.25); ${once}`,
    ],
    ["run round twice", [[...SQUARE, ...SQUARE.slice(2)]], `ring 1: segments 1-2 and 5-6 lie on each other from (0, 0); ${stretch}`],
    [
      "along its own side",
      [[0, 0, 6, 0, 6, 3, 2, 3, 2, 0, 4, 0, 4, -2, 0, -2, 0, 0]],
      `ring 1: segments 1-2 and 5-6 lie on each other from (0.125, 0); ${stretch}`,
    ],
    [
      "along its own side, backward",
      [[0, 0, 6, 0, 6, 6, 5, 6, 5, 0, 4, 0, 4, 6, 0, 6, 0, 0]],
      `ring 1: segments 1-2 and 5-6 lie on each other from (0.25, 0); ${stretch}`,
    ],
  ])("%s", (_name, rings, message) => {
    expect(fault(rings)).toBe(message);
  });
});

describe("an area of nothing", () => {
  const detail = (ring: string): string | undefined => {
    const parsed = parsePolygon(`POLYGON((${ring}))`);
    return parsed.ok ? undefined : parsed.detail;
  };

  it.each([
    ["three points on a line in decimals", "26.7 58.36, 26.72 58.37, 26.74 58.38, 26.7 58.36"],
    ["many points on a line in decimals", `${Array.from({ length: 30 }, (_, n) => `${5 + n / 10} ${50.3 + n * 0.07}`).join(", ")}, 5 50.3`],
    ["a line across the world", "-179.9 -89.9, 0 0, 179.9 89.9, -179.9 -89.9"],
  ])("%s is a ring without area", (_name, ring) => {
    expect(detail(ring)).toBe("ring 1 has no area: all of its points lie on one line; at least 3 of them must not");
  });

  it("below a square metre is refused, above it is not", () => {
    const square = (degrees: number): string => `0 0, ${degrees} 0, ${degrees} ${degrees}, 0 ${degrees}, 0 0`;
    expect(detail(square(8e-6))).toBe("the polygon covers less than 1 m²; coordinates are degrees such as 10.75 59.91");
    expect(detail(square(1e-5))).toBeUndefined();
  });

  it("needs no width that can be seen: a metre of a line of a hundred kilometres is a polygon", () => {
    expect(detail("10 60, 12 60, 12 60.00001, 10 60.00001, 10 60")).toBeUndefined();
  });
});

describe("holes", () => {
  const small = [1, 1, 3, 1, 3, 3, 1, 3, 1, 1];
  const inside = "a hole must lie inside the shell";
  const beside = "holes must lie next to each other";
  const stretch = "two sides may share a point but not a stretch";
  const cut =
    "touches other rings at (0.375, 0.1875) and elsewhere, which cuts the inside of the polygon in two; each part is a polygon of its own";
  it.each([
    ["outside", [SQUARE, [7, 7, 8, 7, 8, 8, 7, 7]], `ring 2 (hole), at (0.4375, 0.4375), lies outside of the shell (ring 1); ${inside}`],
    [
      "in a bay of the shell",
      [
        [0, 0, 6, 0, 6, 6, 3, 1, 0, 6, 0, 0],
        [3, 4, 4, 5, 2, 5, 3, 4],
      ],
      `ring 2 (hole), at (0.125, 0.3125), lies outside of the shell (ring 1); ${inside}`,
    ],
    ["around the shell", [[2, 2, 3, 2, 3, 3, 2, 2], SQUARE], `ring 2 (hole), at (0, 0), lies outside of the shell (ring 1); ${inside}`],
    [
      "touching from outside",
      [SQUARE, [6, 3, 8, 2, 8, 4, 6, 3]],
      `ring 2 (hole), at (0.375, 0.1875), lies outside of the shell (ring 1); ${inside}`,
    ],
    ["the shell itself", [SQUARE, SQUARE], `ring 1 and ring 2 (hole): segments 1-2 and 1-2 lie on each other from (0, 0); ${stretch}`],
    [
      "on the shell's side, inside",
      [SQUARE, [0, 1, 2, 1, 2, 3, 0, 3, 0, 1]],
      `ring 1 and ring 2 (hole): segments 4-5 and 4-5 lie on each other from (0, 0.0625); ${stretch}`,
    ],
    [
      "on the shell's side, outside",
      [SQUARE, [6, 1, 8, 1, 8, 3, 6, 3, 6, 1]],
      `ring 1 and ring 2 (hole): segments 2-3 and 4-5 lie on each other from (0.375, 0.0625); ${stretch}`,
    ],
    [
      "across the shell",
      [SQUARE, [5, 1, 8, 1, 8, 3, 5, 3, 5, 1]],
      `ring 1 and ring 2 (hole): segments 2-3 and 1-2 cross near (0.375, 0.0625); ${inside}`,
    ],
    [
      "across the shell through a corner",
      [SQUARE, [3, 3, 6, 2, 8, 3, 6, 4, 3, 3]],
      `ring 1 and ring 2 (hole): segments 2-3 and 2-3 cross at (0.375, 0.125); ${inside}`,
    ],
    [
      "across each other",
      [SQUARE, small, [2, 2, 4, 2, 4, 4, 2, 4, 2, 2]],
      `ring 2 (hole) and ring 3 (hole): segments 3-4 and 4-5 cross near (0.125, 0.1875); ${beside}`,
    ],
    [
      "with a side in common",
      [SQUARE, small, [3, 1, 5, 1, 5, 3, 3, 3, 3, 1]],
      `ring 2 (hole) and ring 3 (hole): segments 2-3 and 4-5 lie on each other from (0.1875, 0.0625); ${stretch}`,
    ],
    [
      "the same twice",
      [SQUARE, small, small],
      `ring 2 (hole) and ring 3 (hole): segments 1-2 and 1-2 lie on each other from (0.0625, 0.0625); ${stretch}`,
    ],
    [
      "in a hole",
      [SQUARE, [1, 1, 5, 1, 5, 5, 1, 5, 1, 1], [2, 2, 3, 2, 3, 3, 2, 2]],
      `ring 3 (hole), at (0.125, 0.125), lies inside of ring 2 (hole); ${beside}`,
    ],
    [
      "around a hole",
      [SQUARE, [2, 2, 3, 2, 3, 3, 2, 2], [1, 1, 5, 1, 5, 5, 1, 5, 1, 1]],
      `ring 2 (hole), at (0.125, 0.125), lies inside of ring 3 (hole); ${beside}`,
    ],
    ["from side to side", [SQUARE, [0, 3, 3, 2, 6, 3, 3, 4, 0, 3]], `ring 2 (hole) ${cut}`],
    ["a chain from side to side", [SQUARE, [0, 3, 2, 2, 3, 3, 2, 4, 0, 3], [3, 3, 4, 2, 6, 3, 4, 4, 3, 3]], `ring 3 (hole) ${cut}`],
  ])("%s", (_name, rings, message) => {
    expect(fault(rings)).toBe(message);
  });
});

describe("a polygon that is too large", () => {
  const degrees = (...ring: number[]): number[] => ring.map((value) => value * 16);
  it.each([
    [
      "a square of ten degrees",
      degrees(0, 0, 10, 0, 10, 10, 0, 10, 0, 0),
      "the polygon covers 1,224,833 km²; at most 5,000 km² are accepted",
    ],
    [
      "the world",
      degrees(-180, -90, 180, -90, 180, 90, -180, 90, -180, -90),
      "the polygon covers 510,065,622 km²; at most 5,000 km² are accepted",
    ],
  ])("%s", (_name, ring, message) => {
    expect(fault([ring])).toBe(message);
  });

  it("is distinguished from one just below the limit, and a hole does not count", () => {
    const upTo = (lat: number): number[] => degrees(0, 0, 1, 0, 1, lat, 0, lat, 0, 0);
    expect(fault([upTo(0.4061)])).toBeUndefined();
    expect(fault([upTo(0.4064)])).toBe("the polygon covers 5,003 km²; at most 5,000 km² are accepted");
    expect(fault([upTo(0.4064), degrees(0.4, 0.1, 0.5, 0.1, 0.5, 0.2, 0.4, 0.1)])).toBeUndefined();
  });

  it("by its boundary", () => {
    const comb = Array.from({ length: 9_990 }, (_, index) => `${index % 2 ? 60 : 0} ${(index * 1e-6).toFixed(6)}`);
    const parsed = parsePolygon(`POLYGON((${comb.join(", ")}, 61 0.00999, 61 -0.000001, 0 -0.000001, 0 0))`);
    expect(parsed).toEqual({ ok: false, detail: expect.stringMatching(/^the rings are [\d,]+ km long; at most 250,000 km are accepted$/) });
  });
});
