import type { SampleCell } from "../../infra/local/sample/cells.ts";
import type { CountryMap } from "../../infra/local/sample/map/country-map.ts";
import type { Point } from "../../shared/geometry/polygon.ts";
import { project } from "../../shared/geometry/projection.ts";
import { Canvas, type Colour, type Pixel } from "./canvas.ts";
import { widthOf, write } from "./lettering.ts";

const SEA: Colour = [214, 228, 236];
const COAST: Colour = [95, 120, 138];
const BORDER: Colour = [150, 128, 140];
const INNER_BORDER: Colour = [216, 208, 196];
const ROADS: Readonly<Record<string, readonly [number, Colour]>> = {
  trunk: [2, [205, 110, 60]],
  primary: [1.5, [219, 150, 84]],
  secondary: [1, [222, 184, 120]],
};
/** Fills of municipalities. Neighbours have different ones where five are enough for the greedy choice. */
const LAND: readonly Colour[] = [
  [247, 244, 232],
  [234, 241, 222],
  [251, 236, 216],
  [236, 235, 240],
  [243, 232, 228],
];
const INK: Colour = [40, 40, 48];
const PAPER: Colour = [252, 250, 244];

/** Returns a picture of a country as PNG: coast, boundaries, names, cells by the devices in them, roads. `side` is its longer side, pixels. */
export function drawCountry({ country, places, areas, roads }: CountryMap, cells: readonly SampleCell[], side: number): Buffer {
  const large = areas.filter(({ geoType }) => geoType === "admin_level_2");
  const metres = (point: Point): Pixel => {
    const { easting, northing } = project(country.crs, point);
    return [easting, northing];
  };
  const outlines = large.map(({ polygons }) => polygons.map((rings) => rings.map((ring) => ring.map(metres))));
  const all = outlines.flat(3);
  const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
  const [west, east, south, north] = [least(xs), -least(xs.map((x) => -x)), least(ys), -least(ys.map((y) => -y))];
  const scale = (side - 60) / Math.max(east - west, north - south);
  const toPixel = ([x, y]: Pixel): Pixel => [30 + (x - west) * scale, 30 + (north - y) * scale];
  const canvas = new Canvas(60 + (east - west) * scale, 60 + (north - south) * scale, SEA);
  const pixels = outlines.map((polygons) => polygons.flat().map((ring) => ring.map(toPixel)));
  for (const rings of pixels) for (const ring of rings) canvas.line(ring, 3, COAST);
  const fills = fillsOf(large.map(({ polygons }) => polygons.flat()));
  for (const [index, rings] of pixels.entries()) canvas.fill(rings, LAND[fills[index] ?? 0] ?? PAPER);
  for (const { geoType, polygons } of areas)
    if (geoType === "admin_level_4") for (const ring of polygons.flat()) canvas.line(ring.map(metres).map(toPixel), 0.6, INNER_BORDER);
  for (const rings of pixels) for (const ring of rings) canvas.line(ring, 1.1, BORDER);
  for (const { roadClass, line } of roads) {
    const [width, colour] = ROADS[roadClass] ?? [1, BORDER];
    canvas.line(line.map(metres).map(toPixel), width, colour);
  }
  for (const cell of cells) {
    const size = Math.max(250 * scale, 2.2);
    const [x, y] = toPixel([cell.east + 125, cell.north + 125]);
    const corners: Pixel[] = [
      [x - size / 2, y - size / 2],
      [x + size / 2, y - size / 2],
      [x + size / 2, y + size / 2],
      [x - size / 2, y + size / 2],
    ];
    canvas.fill([corners], heat(cell.work + cell.home));
  }
  label(
    canvas,
    places.map((place) => ({ ...place, at: toPixel(metres([place.lon, place.lat])) })),
  );
  return canvas.png();
}

/** Returns the number of a fill for each area: the first one that no earlier neighbour has. Neighbours share a vertex inland. */
function fillsOf(areas: readonly (readonly (readonly Point[])[])[]): number[] {
  const vertices = areas.map((rings) => new Set(rings.flat().map(String)));
  const fills: number[] = [];
  for (const [index, own] of vertices.entries()) {
    const taken = new Set(fills.filter((_, other) => [...(vertices[other] ?? [])].some((vertex) => own.has(vertex))));
    const free = LAND.findIndex((_, fill) => !taken.has(fill));
    fills.push(free < 0 ? index % LAND.length : free);
  }
  return fills;
}

function least(values: readonly number[]): number {
  return values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
}

/** Returns a darker colour for more devices. */
function heat(devices: number): Colour {
  const share = Math.min(1, Math.log1p(devices) / Math.log1p(200));
  return [Math.round(232 - 112 * share), Math.round(150 - 130 * share), Math.round(120 - 10 * share)];
}

interface Labelled {
  readonly name: string;
  readonly population: number;
  readonly at: Pixel;
}

/** Writes the places' names, largest first, beside their dots where there is room. A name without room is left out. */
function label(canvas: Canvas, places: readonly Labelled[]): void {
  const taken: [left: number, top: number, right: number, bottom: number][] = [];
  for (const { at, population } of places) {
    const radius = population >= 100_000 ? 4 : population >= 20_000 ? 3 : 2;
    canvas.disc(at, radius + 1, PAPER);
    canvas.disc(at, radius, INK);
  }
  for (const { name, population, at } of places) {
    const dot = population >= 100_000 ? 2 : population >= 20_000 ? 1.5 : 1.2;
    const [width, height] = [widthOf(name, dot), 7 * dot];
    const beside: Pixel[] = [
      [at[0] + 7, at[1] + height / 2],
      [at[0] - 7 - width, at[1] + height / 2],
      [at[0] - width / 2, at[1] - 7],
      [at[0] - width / 2, at[1] + 8 + height],
      [at[0] + 6, at[1] - 4],
      [at[0] + 6, at[1] + 4 + height],
      [at[0] - 6 - width, at[1] - 4],
      [at[0] - 6 - width, at[1] + 4 + height],
    ];
    const free = beside.find(([x, y]) => {
      if (x < 2 || x + width > canvas.width - 2 || y - height < 2 || y > canvas.height - 2) return false;
      return taken.every(([left, top, right, bottom]) => x - 3 > right || x + width + 3 < left || y - height - 3 > bottom || y + 3 < top);
    });
    if (!free) continue;
    const [x, y] = free;
    taken.push([x, y - height, x + width, y]);
    write(canvas, name, free, dot, INK, PAPER);
  }
}
