import { describe, expect, it } from "vitest";
import { parsePolygon } from "./wkt.ts";

const EXPECTED = "POLYGON((lon lat, lon lat, ...)) is expected";
const FLAT = "points have a longitude and a latitude only";
const FINITE = "is not a finite number; degrees such as 10.75 are expected";
const SWAPPED = "; longitude comes first: are the axes swapped?";
const FOUR = "a ring needs at least 4, the last repeating the first";

const fault = (text: string): string | undefined => {
  const parsed = parsePolygon(text);
  return parsed.ok ? undefined : parsed.detail;
};
/** A square of one degree with this text as its second point. */
const withPoint = (point: string): string => `POLYGON((0 0, ${point}, 1 1, 0 1, 0 0))`;

describe("a text that is not a POLYGON", () => {
  it.each([
    ["", `the geometry is empty; ${EXPECTED}`],
    [" \n\t ", `the geometry is empty; ${EXPECTED}`],
    ["somewhere in Oslo", `"somewhere" is not a WKT type; ${EXPECTED}`],
    ["POLYGONE((0 0, 1 0, 1 1, 0 0))", `"POLYGONE" is not a WKT type; ${EXPECTED}`],
    ['{"type":"Polygon"}', `${JSON.stringify('{"type":"Polygon"}')} (position 1) is not WKT; ${EXPECTED}`],
    ["((0 0, 1 0, 1 1, 0 0))", `"(" (position 1) is not WKT; ${EXPECTED}`],
    ["POINT(10 60)", "POINT is not accepted: a map is one POLYGON"],
    ["LineString(0 0, 1 1)", "LINESTRING is not accepted: a map is one POLYGON"],
    ["MULTIPOLYGON(((0 0, 1 0, 1 1, 0 0)))", "MULTIPOLYGON is not accepted: a map is one POLYGON"],
    ["GEOMETRYCOLLECTION(POLYGON((0 0, 1 0, 1 1, 0 0)))", "GEOMETRYCOLLECTION is not accepted: a map is one POLYGON"],
    ["POLYGON EMPTY", `POLYGON EMPTY covers nothing; ${EXPECTED}`],
    ["polygon empty", `POLYGON EMPTY covers nothing; ${EXPECTED}`],
    ["POLYGON Z((0 0 1, 1 0 1, 1 1 1, 0 0 1))", `POLYGON Z is not accepted: ${FLAT}`],
    ["POLYGON m((0 0 1, 1 0 1, 1 1 1, 0 0 1))", `POLYGON M is not accepted: ${FLAT}`],
    ["POLYGONZM((0 0 1 1, 1 0 1 1, 1 1 1 1, 0 0 1 1))", `POLYGON ZM is not accepted: ${FLAT}`],
    ["SRID=4326;POLYGON((0 0, 1 0, 1 1, 0 0))", "a prefix SRID=...; is not accepted: coordinates are longitude and latitude (WGS 84)"],
    ["POLYGON of mine((0 0, 1 0, 1 1, 0 0))", '"(" is expected after POLYGON, not "of"'],
  ])("%j: %s", (text, message) => {
    expect(fault(text)).toBe(message);
  });
});

describe("brackets, commas and what follows", () => {
  it.each([
    ["POLYGON", 'the polygon: "(" is expected, not the end of the text'],
    ["POLYGON(", 'ring 1: "(" is expected, not the end of the text'],
    ["POLYGON()", 'ring 1: "(" is expected, not ")" (position 9)'],
    ["POLYGON(())", 'ring 1, point 1: a longitude is expected, not ")" (position 10)'],
    [
      "POLYGON(0 0, 1 0, 1 1, 0 0)",
      'ring 1: "(" is expected, not "0" (position 9); each ring has brackets: POLYGON((lon lat, lon lat, ...))',
    ],
    ["POLYGON(((0 0, 1 0, 1 1, 0 0)))", 'ring 1, point 1: a longitude is expected, not "(" (position 10)'],
    ["POLYGON((0 0, 1 0, 1 1, 0 0)", 'after ring 1: "," or ")" is expected, not the end of the text'],
    ["POLYGON((0 0, 1 0, 1 1, 0 0", 'after ring 1, point 4: "," or ")" is expected, not the end of the text'],
    ["POLYGON((0 0, 1 0, 1 1, 0 0)) and more", 'nothing may follow the polygon, but there is "and" (position 31)'],
    ["POLYGON((0 0, 1 0, 1 1, 0 0));", 'nothing may follow the polygon, but there is ";" (position 30)'],
    ["POLYGON((0 0, 1 0, 1 1, 0 0)))", 'nothing may follow the polygon, but there is ")" (position 30)'],
    ["POLYGON((0 0, 1 0, 1 1, 0 0)), POLYGON((2 2, 3 2, 3 3, 2 2))", 'nothing may follow the polygon, but there is "," (position 30)'],
    ["POLYGON((0 0, 1 0, 1 1, 0 0),)", 'ring 2 (hole): "(" is expected, not ")" (position 30)'],
    ["POLYGON((0 0, 1 0, 1 1, 0 0,))", 'ring 1, point 5: a longitude is expected, not ")" (position 29)'],
    ["POLYGON((,0 0, 1 0, 1 1, 0 0))", 'ring 1, point 1: a longitude is expected, not "," (position 10)'],
    ["POLYGON((0 0, 3 0, 0 3, 0 0)(1 1, 2 1, 1 2, 1 1))", 'after ring 1: "," or ")" is expected, not "(" (position 29)'],
    [
      "POLYGON((0,0, 1,0, 1,1, 0,0))",
      'ring 1, point 1: a latitude is expected, not "," (position 11); a point is a longitude and a latitude with a space between them',
    ],
    [
      "POLYGON((10,5 60, 11 60, 11 61, 10,5 60))",
      'ring 1, point 1: a latitude is expected, not "," (position 12); a point is a longitude and a latitude with a space between them',
    ],
    ["POLYGON((0 0; 1 0; 1 1; 0 0))", 'after ring 1, point 1: "," or ")" is expected, not ";" (position 13)'],
    ["POLYGON((0 0 1 0 1 1 0 0))", `ring 1, point 1 has a third number: ${FLAT}`],
    ["POLYGON((0\u00a00, 1 0, 1 1, 0 0))", 'ring 1, point 1: a latitude is expected, not "\\u00a0" (position 11)'],
  ])("%j: %s", (text, message) => {
    expect(fault(text)).toBe(message);
  });
});

describe("a number", () => {
  it.each([
    ["NaN 0", `longitude NaN ${FINITE}`],
    ["1 -Infinity", `latitude -Infinity ${FINITE}`],
    ["inf 0", `longitude inf ${FINITE}`],
    ["1e999 0", `longitude 1e999 ${FINITE}`],
    ["1 -1E400", `latitude -1E400 ${FINITE}`],
    ["1e3 0", "longitude 1e3 is outside -180 to 180"],
    ["1", 'a latitude is expected, not "," (position 16); a point is a longitude and a latitude with a space between them'],
    ["0x1 0", 'a longitude is expected, not "0x1" (position 15)'],
    ["1.2.3 0", 'a longitude is expected, not "1.2.3" (position 15)'],
    ["--1 0", 'a longitude is expected, not "--1" (position 15)'],
    ["1 +-1", 'a latitude is expected, not "+-1" (position 17)'],
    ["1e 0", 'a longitude is expected, not "1e" (position 15)'],
    ["1_0 0", 'a longitude is expected, not "1_0" (position 15)'],
    [". 0", 'a longitude is expected, not "." (position 15)'],
    ["- 1 0", 'a longitude is expected, not "-" (position 15)'],
    ["\u22121 0", 'a longitude is expected, not "\\u22121" (position 15)'],
    ["10E 60N", 'a longitude is expected, not "10E" (position 15)'],
    ["\u0661 0", 'a longitude is expected, not "\\u0661" (position 15)'],
    ["null 0", 'a longitude is expected, not "null" (position 15)'],
    ["180.0000001 0", "longitude 180.0000001 is outside -180 to 180"],
    ["264000 6648500", "longitude 264000 is outside -180 to 180; coordinates are degrees (WGS 84), not metres of a projection"],
    ["100 -90.5", "latitude -90.5 is outside -90 to 90"],
    ["59.9 110.7", `latitude 110.7 is outside -90 to 90${SWAPPED}`],
  ])("%s: %s", (point, message) => {
    expect(fault(withPoint(point))).toBe(`ring 1, point 2: ${message}`);
  });

  it.each(["1 0 0", "1 0 0 0"])("more than two numbers: %s", (point) => {
    expect(fault(withPoint(point))).toBe(`ring 1, point 2 has a third number: ${FLAT}`);
  });

  it("is shortened in messages if it is long", () => {
    expect(fault(withPoint(`${"1".repeat(200_000)} 0`))).toBe(`ring 1, point 2: longitude ${"1".repeat(24)}... ${FINITE}`);
    expect(fault(withPoint(`0.${"1".repeat(200_000)}x 0`))).toBe(
      `ring 1, point 2: a longitude is expected, not "0.${"1".repeat(22)}"... (position 15)`,
    );
  });
});

describe("a ring that is too short, open or too long", () => {
  const shell = "(0 0, 9 0, 9 9, 0 0)";
  it.each([
    ["POLYGON((0 0))", `ring 1 has 1 point; ${FOUR}`],
    ["POLYGON((0 0, 0 0))", `ring 1 has 2 points; ${FOUR}`],
    ["POLYGON((0 0, 1 1, 0 0))", `ring 1 has 3 points; ${FOUR}`],
    [`POLYGON(${shell}, (5 2, 6 3, 5 2))`, `ring 2 (hole) has 3 points; ${FOUR}`],
    ["POLYGON((0 0, 1 0, 1 1, 0 1))", "ring 1 is not closed: point 4 must repeat point 1, 0 0"],
    ["POLYGON((0 0, 1 0, 1 1, 0 1e-15))", "ring 1 is not closed: point 4 must repeat point 1, 0 0"],
    [`POLYGON(${shell}, (5 2, 6 2, 6 3, 5 3))`, "ring 2 (hole) is not closed: point 4 must repeat point 1, 5 2"],
    [`POLYGON(${shell}, (5 2, 6 2, 6 95, 5 2))`, `ring 2 (hole), point 3: latitude 95 is outside -90 to 90${SWAPPED}`],
  ])("%s: %s", (text, message) => {
    expect(fault(text)).toBe(message);
  });

  it("with more than 10,000 vertices in total is rejected at the first excess point", () => {
    const line = (points: number): string => Array.from({ length: points }, (_, index) => `${index / 1e5} 0`).join(",");
    expect(fault(`POLYGON((${line(10_002)}))`)).toBe("ring 1, point 10002: the polygon has too many vertices; at most 10,000 are accepted");
    expect(fault(`POLYGON((${line(10_000)},0 0),(0 0,1 0,1 1,0 0))`)).toBe(
      "ring 2 (hole), point 2: the polygon has too many vertices; at most 10,000 are accepted",
    );
  });

  it("in a text of more than 256 KiB is not parsed", () => {
    const text = `POLYGON((${"1 1, ".repeat(300_000)}`;
    expect(fault(text)).toBe("the text has 1,500,009 characters; at most 262,144 (256 KiB) are accepted");
    expect(fault("(".repeat(262_145))).toBe("the text has 262,145 characters; at most 262,144 (256 KiB) are accepted");
    expect(fault(`POLYGON${"(".repeat(262_137)}`)).toBe('ring 1, point 1: a longitude is expected, not "(" (position 10)');
  });
});
