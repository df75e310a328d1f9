import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Clipper, FillRule, type Path64 } from "clipper2-ts";
import * as v from "valibot";
import { parseCountryTable } from "../../shared/products/countries.ts";

type Position = readonly [lon: number, lat: number];
type Polygon = readonly (readonly Position[])[];

const Arcs = v.array(v.array(v.number()));
const Land = v.variant("type", [
  v.object({ type: v.literal("Polygon"), arcs: Arcs }),
  v.object({ type: v.literal("MultiPolygon"), arcs: v.array(Arcs) }),
]);
/** A topology of the package world-atlas: Natural Earth's land and countries as TopoJSON, in the public domain. */
const Atlas = v.object({
  objects: v.object({ countries: v.object({ geometries: v.array(Land) }) }),
  arcs: v.array(v.array(v.tuple([v.number(), v.number()]))),
  transform: v.object({ scale: v.tuple([v.number(), v.number()]), translate: v.tuple([v.number(), v.number()]) }),
});

/** Degrees around the countries that are drawn in detail. */
const MARGIN = 3;
/** Decimals of degrees: 100 m in detail, 1 km for the world. */
const DECIMALS = { detail: 3, world: 2 } as const;

/** Returns the base map: the world's countries in rough outline, and in detail in the box around the countries of `infra/countries.json`. */
export function baseMapFiles(root: string): { name: string; text: string }[] {
  const file = join(root, "infra/countries.json");
  const extents = Object.values(parseCountryTable(file, JSON.parse(readFileSync(file, "utf8")))).flatMap(({ grid }) => grid?.extents ?? []);
  const [west, south, east, north] = [0, 1, 2, 3].map((side) => {
    const values = extents.map((extent) => extent[side] ?? 0);
    return side < 2 ? Math.min(...values) - MARGIN : Math.max(...values) + MARGIN;
  });
  const box = [west ?? -180, south ?? -90, east ?? 180, north ?? 90] as const;
  const corners: Position[] = [
    [box[0], box[1]],
    [box[2], box[1]],
    [box[2], box[3]],
    [box[0], box[3]],
    [box[0], box[1]],
  ];
  const detail = countriesOf(root, "countries-10m.json", DECIMALS.detail).map((polygons) =>
    polygons.flatMap((polygon) => clipPolygon(polygon, box)),
  );
  const world = countriesOf(root, "countries-110m.json", DECIMALS.world);
  return [
    { name: "base-world", text: collection(world) },
    { name: "base-detail", text: collection([[[corners]], ...detail.filter(({ length }) => length > 0)]) },
  ];
}

/** Returns the parts of a polygon that lie in a box. Enclaves of a polygon that the box splits are drawn as part of it: no country here has one. */
function clipPolygon(polygon: Polygon, [west, south, east, north]: readonly [number, number, number, number]): Polygon[] {
  const unit = 10 ** DECIMALS.detail;
  const path = (ring: readonly Position[]): Path64 => ring.map(([lon, lat]) => ({ x: Math.round(lon * unit), y: Math.round(lat * unit) }));
  const corners = [
    path([
      [west, south],
      [east, south],
      [east, north],
      [west, north],
    ]),
  ];
  const clip = (ring: readonly Position[]): Position[][] =>
    Clipper.intersect([path(ring.slice(0, -1))], corners, FillRule.NonZero).map((part) => {
      const open = part.map(({ x, y }): Position => [x / unit, y / unit]);
      return [...open, ...open.slice(0, 1)];
    });
  const [shell = [], ...holes] = polygon;
  const parts = clip(shell);
  return parts.map((part) => (parts.length === 1 ? [part, ...holes.flatMap(clip)] : [part]));
}

/** Reads the countries of an atlas, each as its polygons. */
function countriesOf(root: string, name: string, decimals: number): Polygon[][] {
  const atlas = v.parse(Atlas, JSON.parse(readFileSync(join(root, "node_modules/world-atlas", name), "utf8")));
  const { scale, translate } = atlas.transform;
  const unit = 10 ** decimals;
  const lines = atlas.arcs.map((arc) => {
    let [x, y] = [0, 0];
    const line = arc.map(([dx, dy]): Position => {
      x += dx;
      y += dy;
      return [Math.round((x * scale[0] + translate[0]) * unit) / unit, Math.round((y * scale[1] + translate[1]) * unit) / unit];
    });
    return line.filter(([lon, lat], index) => index === 0 || lon !== line[index - 1]?.[0] || lat !== line[index - 1]?.[1]);
  });
  const ringOf = (arcs: readonly number[]): Position[] =>
    arcs.flatMap((number, index) => {
      const line = lines[number < 0 ? ~number : number] ?? [];
      return (number < 0 ? line.toReversed() : line).slice(index === 0 ? 0 : 1);
    });
  return atlas.objects.countries.geometries.map((geometry) => {
    const polygons = geometry.type === "Polygon" ? [geometry.arcs] : geometry.arcs;
    return polygons.map((rings) => rings.map(ringOf).filter(({ length }) => length > 3)).filter(({ length }) => length > 0);
  });
}

/** A GeoJSON collection with a feature a country. The first one of the detailed file is the box itself, to be drawn as water. */
function collection(countries: readonly (readonly Polygon[])[]): string {
  const features = countries.map((coordinates, id) => ({
    type: "Feature",
    id,
    properties: {},
    geometry: { type: "MultiPolygon", coordinates },
  }));
  return JSON.stringify({ type: "FeatureCollection", features });
}
