type Point = readonly [lon: number, lat: number];

const POINTS = 9_900;
const MIDDLE: Point = [25.5, 58.6];

/** Polygons (WKT) that take the most work to check or to cover, near the limits of points, text and area. */
export const HOSTILE_SHAPES: Readonly<Record<string, string>> = {
  "a star of 9,900 points": wkt([star(0.3, 0.02)]),
  "a star of 9,900 long spikes": wkt([star(0.3, 0.9)]),
  "a comb of 4,950 teeth side by side": wkt([comb(([x, y]) => [MIDDLE[0] + x * 0.8, MIDDLE[1] + y * 0.4])]),
  "a comb of 4,950 teeth above each other": wkt([comb(([x, y]) => [MIDDLE[0] + y * 0.8, MIDDLE[1] + x * 0.4])]),
  "a comb of 1,000 long teeth": wkt([comb(([x, y]) => [MIDDLE[0] + y * 0.9, MIDDLE[1] + x * 0.4], 1000)]),
  "3,200 holes that meet in a point": wkt([square(0.3), ...fan(3200)]),
  "3,200 holes side by side": wkt([square(0.3), ...grid(3200)]),
  "200,000 cells": wkt([square(0.31)]),
  "a star whose last side crosses": wkt([crossed(star(0.3, 0.02))]),
};

function wkt(rings: readonly (readonly Point[])[]): string {
  return `POLYGON(${rings.map((ring) => `(${ring.map(([lon, lat]) => `${lon.toFixed(7)} ${lat.toFixed(7)}`).join(",")})`).join(",")})`;
}

function closed(points: readonly Point[]): Point[] {
  return [...points, ...points.slice(0, 1)];
}

/** @param depth the share of the radius by which every second point lies further inside */
function star(radius: number, depth: number): Point[] {
  return closed(
    Array.from({ length: POINTS }, (_, index): Point => {
      const angle = (2 * Math.PI * index) / POINTS;
      const reach = radius * (index % 2 ? 1 - depth : 1);
      return [MIDDLE[0] + 2 * reach * Math.cos(angle), MIDDLE[1] + reach * Math.sin(angle)];
    }),
  );
}

/** Teeth from 0 to 1, each as long as that, on a base. */
function comb(place: (point: Point) => Point, teeth = POINTS / 2 - 1): Point[] {
  const points = Array.from({ length: teeth }, (_, index): Point[] => [
    [index / teeth, 0.01],
    [(index + 0.5) / teeth, 1],
  ]);
  return closed([[0, 0], ...points.flat(), [1, 0.01], [1, 0]].map(([x = 0, y = 0]) => place([x - 0.5, y - 0.5])));
}

function square(half: number): Point[] {
  return closed(
    [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ].map(([x = 0, y = 0]): Point => [MIDDLE[0] + 2 * half * x, MIDDLE[1] + half * y]),
  );
}

/** Triangles with a corner in the middle. */
function fan(holes: number): Point[][] {
  return Array.from({ length: holes }, (_, index) => {
    const corner = (turn: number): Point => {
      const angle = (2 * Math.PI * (index + turn)) / holes;
      return [MIDDLE[0] + 0.2 * Math.cos(angle), MIDDLE[1] + 0.1 * Math.sin(angle)];
    };
    return closed([MIDDLE, corner(0.2), corner(0.8)]);
  });
}

function grid(holes: number): Point[][] {
  const side = Math.ceil(Math.sqrt(holes));
  return Array.from({ length: holes }, (_, index) => {
    const [x, y] = [(index % side) / side - 0.5, Math.floor(index / side) / side - 0.5];
    const step = 0.4 / side;
    return closed([
      [MIDDLE[0] + 0.4 * x, MIDDLE[1] + 0.4 * y],
      [MIDDLE[0] + 0.4 * x + step / 2, MIDDLE[1] + 0.4 * y],
      [MIDDLE[0] + 0.4 * x, MIDDLE[1] + 0.4 * y + step / 2],
    ]);
  });
}

/** The ring with its last corner on the other side. */
function crossed(ring: readonly Point[]): Point[] {
  const points = ring.slice(0, -2);
  return closed([...points, [MIDDLE[0] - 0.7, MIDDLE[1]]]);
}
