import { describe, expect, test } from "vitest";
import { landOf } from "../../../../scripts/generate/sample-map/land.ts";
import { edgesOf, type Point } from "../../../../shared/geometry/polygon.ts";
import { sweepFault } from "../../../../shared/geometry/polygon-sweep.ts";
import { draw } from "./cell-draws.ts";
import { type Area, type CountryMap, countryMaps } from "./country-map.ts";
import { SAMPLE_PLACES } from "./sample-places.ts";

const LAND = { EST: ["233", [21, 57, 29, 60]], LAT: ["428", [20, 55, 29, 59]], NOR: ["578", [4, 57, 32, 71.5]] } as const;

/** Returns twice the area of closed rings in squared degrees, holes taken off. */
function twiceArea(rings: readonly (readonly Point[])[]): number {
  let sum = 0;
  for (const ring of rings)
    for (let index = 1; index < ring.length; index++) {
      const [[ax, ay], [bx, by]] = [ring[index - 1] ?? [0, 0], ring[index] ?? [0, 0]];
      sum += (ax - 20) * (by - 60) - (bx - 20) * (ay - 60);
    }
  return sum;
}

function contains(area: Area, [x, y]: Point): boolean {
  let isInside = false;
  for (const ring of area.polygons.flat())
    for (let index = 1; index < ring.length; index++) {
      const [[ax, ay], [bx, by]] = [ring[index - 1] ?? [0, 0], ring[index] ?? [0, 0]];
      if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) isInside = !isInside;
    }
  return isInside;
}

const ofType = (map: CountryMap, type: Area["geoType"]): Area[] => map.areas.filter(({ geoType }) => geoType === type);

describe.each(countryMaps().map((map) => [map.country.code, map] as const))("%s", (code, map) => {
  const [large, small] = [ofType(map, "admin_level_2"), ofType(map, "admin_level_4")];

  test("has 45 to 65 places, largest first, each with a municipality of its name and code", () => {
    const places = SAMPLE_PLACES[code];
    expect(places.length).toBeGreaterThanOrEqual(45);
    expect(places.length).toBeLessThanOrEqual(65);
    expect(places.map(({ population }) => population)).toEqual(places.map(({ population }) => population).sort((a, b) => b - a));
    expect(large.map((area) => [area.code, area.name])).toEqual(places.map((place) => [place.code, place.name]));
    expect(new Set(map.areas.map((area) => `${area.geoType} ${area.code}`)).size).toBe(map.areas.length);
    expect(new Set(small.map(({ name }) => name)).size).toBe(small.length);
  });

  test("has a municipality around nine in ten places and near the others, whose coast is simplified", () => {
    const inside = map.places.filter(({ code: place, lon, lat }) => {
      const area = large.find((candidate) => candidate.code === place);
      return area !== undefined && contains(area, [lon, lat]);
    });
    expect(inside.length / map.places.length).toBeGreaterThan(code === "NOR" ? 0.7 : 0.9);
  });

  test("has areas that fill the land of Natural Earth: as much as 1 in 100,000 may differ", () => {
    const [id, box] = LAND[code];
    const land = landOf(id, box).map((ring) => [...ring, ...ring.slice(0, 1)].map(([x, y]): Point => [x / 1e5, y / 1e5]));
    const whole = twiceArea(land);
    for (const areas of [large, small]) {
      const sum = areas.reduce((total, { polygons }) => total + twiceArea(polygons.flat()), 0);
      expect(Math.abs(sum / whole - 1)).toBeLessThan(1e-5);
    }
  });

  test("has each border line once in each direction at most, so that no areas overlap or leave a gap", () => {
    for (const areas of [large, small]) {
      const edges = areas.flatMap(({ polygons }) =>
        polygons.flat().flatMap((ring) => ring.slice(1).map((point, index) => `${ring[index]?.join()} ${point.join()}`)),
      );
      expect(new Set(edges).size).toBe(edges.length);
    }
  });

  test("has one municipality and one area within it at any point on land", () => {
    const [lons, lats] = [map.areas.flatMap(({ polygons }) => polygons.flat(2).map(([lon]) => lon)), map.places.map(({ lat }) => lat)];
    const [west, east] = [Math.min(...lons.slice(0, 5000)), Math.max(...lons.slice(0, 5000))];
    let found = 0;
    for (let index = 0; index < 400; index++) {
      const point: Point = [
        west + (east - west) * draw(1, index, 1, 1),
        Math.min(...lats) + (Math.max(...lats) - Math.min(...lats)) * draw(1, index, 2, 1),
      ];
      const [areas, municipalities] = [small.filter((area) => contains(area, point)), large.filter((area) => contains(area, point))];
      expect(municipalities.map((area) => area.code)).toEqual(areas.map(({ parent }) => parent));
      expect(areas.length).toBeLessThan(2);
      found += areas.length;
    }
    expect(found).toBeGreaterThan(20);
  });

  test("has boundaries without self-intersection, with every hole inside its shell", () => {
    for (const { name, polygons } of map.areas) for (const rings of polygons) expect(sweepFault(rings.map(edgesOf)), name).toBeUndefined();
  });

  test("has roads that begin and end at the two places of their name", () => {
    const at = new Map(map.places.map(({ name, lon, lat }) => [name, { lon, lat }]));
    expect(map.roads.length).toBeGreaterThan(50);
    for (const { name, line } of map.roads) {
      const ends = name.split("–").map((place) => at.get(place));
      for (const [index, point] of [line[0], line.at(-1)].entries()) {
        expect(Math.abs((point?.[0] ?? 0) - (ends[index]?.lon ?? 99)), name).toBeLessThan(1e-4);
        expect(Math.abs((point?.[1] ?? 0) - (ends[index]?.lat ?? 99)), name).toBeLessThan(1e-4);
      }
    }
  });
});
