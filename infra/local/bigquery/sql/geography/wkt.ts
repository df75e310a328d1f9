/**
 * Points, lines or polygons on the sphere: each path is longitude, latitude pairs in degrees. A point is a path of one pair, a polygon one
 * closed path for its shell and one for each hole.
 */
export interface Shape {
  readonly kind: "POINT" | "LINESTRING" | "POLYGON" | "MULTIPOINT" | "MULTILINESTRING" | "MULTIPOLYGON";
  readonly paths: readonly Float64Array[];
  /** Of polygons: how many of the paths belong to each, shell first. */
  readonly rings: readonly number[];
}

const KINDS = ["POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON"] as const;
const HEAD = new RegExp(`^\\s*(${KINDS.join("|")})\\s*\\(`, "i");

function kindNamed(name: string): Shape["kind"] | undefined {
  const upper = name.toUpperCase();
  return KINDS.find((kind) => kind === upper);
}

/** Parses `lon lat, lon lat, …`. Undefined if a number is missing, left over or out of range. Longitudes wrap, as in BigQuery. */
function readPath(text: string): Float64Array | undefined {
  const points = text.split(",");
  const path = new Float64Array(points.length * 2);
  for (const [index, point] of points.entries()) {
    const [lon, lat, rest] = point.trim().split(/\s+/);
    const longitude = lon === undefined || lon === "" ? Number.NaN : Number(lon);
    const latitude = lat === undefined ? Number.NaN : Number(lat);
    if (rest !== undefined || !Number.isFinite(longitude) || !(Math.abs(latitude) <= 90)) return undefined;
    path[2 * index] = wrapped(longitude);
    path[2 * index + 1] = latitude;
  }
  return path;
}

/** Wraps a longitude to [-180, 180]. */
export function wrapped(longitude: number): number {
  if (longitude >= -180 && longitude <= 180) return longitude;
  return ((((longitude + 180) % 360) + 360) % 360) - 180;
}

/** Splits `(…), (…)` into the texts between the parentheses. Undefined if anything else is there. */
function parenthesised(body: string): readonly string[] | undefined {
  const parts = body.match(/\([^()]*\)/g) ?? [];
  return body.replace(/\([^()]*\)/g, "").replace(/[\s,]/g, "") === "" && parts.length > 0
    ? parts.map((part) => part.slice(1, -1))
    : undefined;
}

interface Bodies {
  readonly paths: readonly string[];
  readonly rings: readonly number[];
}

function bodies(kind: Shape["kind"], body: string): Bodies | undefined {
  if (kind === "POINT" || kind === "LINESTRING") return { paths: [body], rings: [] };
  if (kind === "MULTIPOINT") return { paths: body.split(",").map((part) => part.replace(/^\s*\(([^()]*)\)\s*$/, "$1")), rings: [] };
  if (kind !== "MULTIPOLYGON") {
    const paths = parenthesised(body);
    return paths && { paths, rings: kind === "POLYGON" ? [paths.length] : [] };
  }
  const polygons = body.match(/\(\s*\([^()]*\)(?:\s*,\s*\([^()]*\))*\s*\)/g) ?? [];
  const left = polygons.reduce((rest, polygon) => rest.replace(polygon, ""), body);
  const all = polygons.map((polygon) => parenthesised(polygon.slice(polygon.indexOf("(") + 1, polygon.lastIndexOf(")"))) ?? []);
  return left.replace(/[\s,]/g, "") === "" && all.length > 0 ? { paths: all.flat(), rings: all.map((rings) => rings.length) } : undefined;
}

function isClosed(ring: Float64Array): boolean {
  return ring.length >= 8 && ring[0] === ring.at(-2) && ring[1] === ring.at(-1);
}

/** Parses well-known text of points, lines and polygons. Undefined if it is not valid. Collections and empty shapes are not supported. */
export function readWkt(text: string): Shape | undefined {
  const head = HEAD.exec(text);
  const kind = head?.[1] === undefined ? undefined : kindNamed(head[1]);
  if (!head || !kind) return undefined;
  const end = text.trimEnd();
  if (!end.endsWith(")")) return undefined;
  const parts = bodies(kind, end.slice(head[0].length, -1));
  const paths: Float64Array[] = [];
  for (const part of parts?.paths ?? []) {
    const path = readPath(part);
    const least = kind.endsWith("POINT") ? 2 : 4;
    if (!path || path.length < least || (kind.endsWith("POINT") && path.length > 2)) return undefined;
    if (kind.endsWith("POLYGON") && !isClosed(path)) return undefined;
    paths.push(path);
  }
  return parts ? { kind, paths, rings: parts.rings } : undefined;
}

function pathText(path: Float64Array, digits: (value: number) => string): string {
  const points: string[] = [];
  for (let at = 0; at < path.length; at += 2) points.push(`${digits(path[at] ?? 0)} ${digits(path[at + 1] ?? 0)}`);
  return points.join(", ");
}

/** Returns the items in groups of these sizes. */
export function grouped<Item>(items: readonly Item[], sizes: readonly number[]): Item[][] {
  let at = 0;
  return sizes.map((size) => {
    at += size;
    return items.slice(at - size, at);
  });
}

/** Formats well-known text as BigQuery does, with the points in the order in which they were written. `digits` formats each number. */
export function writeWkt({ kind, paths, rings }: Shape, digits: (value: number) => string = String): string {
  const texts = paths.map((path) => pathText(path, digits));
  const inParentheses = texts.map((text) => `(${text})`);
  if (kind === "MULTIPOLYGON")
    return `${kind}(${grouped(inParentheses, rings)
      .map((polygon) => `(${polygon.join(", ")})`)
      .join(", ")})`;
  return kind === "MULTILINESTRING" || kind === "POLYGON" ? `${kind}(${inParentheses.join(", ")})` : `${kind}(${texts.join(", ")})`;
}

/** Returns the text of a shape in canonical form. Undefined if it is not valid. */
export function canonicalWkt(text: string): string | undefined {
  const shape = readWkt(text);
  return shape && writeWkt(shape);
}
