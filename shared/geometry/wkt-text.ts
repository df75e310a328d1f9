import type { Point } from "./polygon.ts";
import { ringName, samePoint } from "./polygon.ts";
import { excerpt, FaultyWkt, WktScanner } from "./wkt-scanner.ts";

/** The maximum number of vertices of a polygon. The point that closes a ring does not count. */
const VERTICES_MAX = 10_000;
/** How many points a slice reads: about 0.2 ms. */
const SLICE = 250;
/** A longitude above this is probably an easting. */
const METRES_MIN = 10_000;
const EXPECTED = "POLYGON((lon lat, lon lat, ...)) is expected";
const OTHER_TYPES =
  /^(POINT|LINESTRING|LINEARRING|TRIANGLE|TIN|CURVEPOLYGON|CIRCULARSTRING|COMPOUNDCURVE|POLYHEDRALSURFACE|GEOMETRYCOLLECTION|MULTI(POINT|LINESTRING|POLYGON|CURVE|SURFACE))(Z|M|ZM)?$/;

/** Parses the rings of a WKT `POLYGON` in slices, shell first. Checks syntax and numbers, not yet the shape. Throws a FaultyWkt. */
export function* readRingsInSlices(text: string): Generator<void, Point[][]> {
  const scanner = new WktScanner(text);
  readType(scanner);
  scanner.expect("(", "the polygon");
  const rings: Point[][] = [];
  let points = 0;
  do {
    const ring = yield* readRing(scanner, rings.length, points);
    points += ring.length - 1;
    rings.push(ring);
  } while (scanner.expect(",)", `after ${ringName(rings.length - 1)}`) === ",");
  if (!scanner.atEnd()) throw new FaultyWkt(`nothing may follow the polygon, but there is ${scanner.seen()}`);
  return rings;
}

function readType(scanner: WktScanner): void {
  if (scanner.atEnd()) throw new FaultyWkt(`the geometry is empty; ${EXPECTED}`);
  const word = scanner.word();
  const type = word.toUpperCase();
  if (type === "SRID") throw new FaultyWkt("a prefix SRID=...; is not accepted: coordinates are longitude and latitude (WGS 84)");
  if (OTHER_TYPES.test(type)) throw new FaultyWkt(`${type} is not accepted: a map is one POLYGON`);
  const dimensions = /^POLYGON(Z|M|ZM)$/.exec(type)?.[1];
  if (type !== "POLYGON" && dimensions === undefined) {
    throw new FaultyWkt(`${word === "" ? `${scanner.seen()} is not WKT` : `${excerpt(word)} is not a WKT type`}; ${EXPECTED}`);
  }
  const suffix = dimensions ?? scanner.word();
  if (/^EMPTY$/i.test(suffix)) throw new FaultyWkt(`POLYGON EMPTY covers nothing; ${EXPECTED}`);
  if (/^(Z|M|ZM)$/i.test(suffix)) {
    throw new FaultyWkt(`POLYGON ${suffix.toUpperCase()} is not accepted: points have a longitude and a latitude only`);
  }
  if (suffix !== "") throw new FaultyWkt(`"(" is expected after POLYGON, not ${excerpt(suffix)}`);
}

/** @param before how many vertices the rings before it have */
function* readRing(scanner: WktScanner, index: number, before: number): Generator<void, Point[]> {
  const name = ringName(index);
  if (scanner.atNumber())
    throw new FaultyWkt(`${name}: "(" is expected, not ${scanner.seen()}; each ring has brackets: POLYGON((lon lat, lon lat, ...))`);
  scanner.expect("(", name);
  const ring: Point[] = [];
  do {
    ring.push(readPoint(scanner, `${name}, point ${ring.length + 1}`));
    if ((before + ring.length) % SLICE === 0) yield;
    if (before + ring.length > VERTICES_MAX + 1) {
      const most = VERTICES_MAX.toLocaleString("en-GB");
      throw new FaultyWkt(`${name}, point ${ring.length}: the polygon has too many vertices; at most ${most} are accepted`);
    }
  } while (scanner.expect(",)", `after ${name}, point ${ring.length}`) === ",");
  const [first, last] = [ring[0], ring.at(-1)];
  if (ring.length < 4)
    throw new FaultyWkt(
      `${name} has ${ring.length} point${ring.length === 1 ? "" : "s"}; a ring needs at least 4, the last repeating the first`,
    );
  if (first && last && !samePoint(first, last)) {
    throw new FaultyWkt(`${name} is not closed: point ${ring.length} must repeat point 1, ${first[0]} ${first[1]}`);
  }
  return ring;
}

function readPoint(scanner: WktScanner, place: string): Point {
  const lon = scanner.number(place, "longitude");
  const lat = scanner.number(place, "latitude");
  if (Math.abs(lon.value) > 180) {
    const hint = Math.abs(lon.value) > METRES_MIN ? "; coordinates are degrees (WGS 84), not metres of a projection" : "";
    throw new FaultyWkt(`${place}: longitude ${lon.text} is outside -180 to 180${hint}`);
  }
  if (Math.abs(lat.value) > 90) {
    const swapped = Math.abs(lat.value) <= 180 && Math.abs(lon.value) <= 90;
    const hint = swapped ? "; longitude comes first: are the axes swapped?" : "";
    throw new FaultyWkt(`${place}: latitude ${lat.text} is outside -90 to 90${hint}`);
  }
  if (scanner.atNumber()) throw new FaultyWkt(`${place} has a third number: points have a longitude and a latitude only`);
  return [lon.value, lat.value];
}
