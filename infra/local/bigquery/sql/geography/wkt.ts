/** Lines or points on the sphere: each path is longitude, latitude pairs in degrees. A point is a path of one pair. */
export interface Shape {
  readonly kind: "POINT" | "LINESTRING" | "MULTIPOINT" | "MULTILINESTRING";
  readonly paths: readonly Float64Array[];
}

const HEAD = /^\s*(POINT|LINESTRING|MULTIPOINT|MULTILINESTRING)\s*\(/i;

function kindNamed(name: string): Shape["kind"] | undefined {
  const upper = name.toUpperCase();
  return (["POINT", "LINESTRING", "MULTIPOINT", "MULTILINESTRING"] as const).find((kind) => kind === upper);
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

function bodies(kind: Shape["kind"], body: string): readonly string[] | undefined {
  if (kind === "POINT" || kind === "LINESTRING") return [body];
  if (kind === "MULTIPOINT") return body.split(",").map((part) => part.replace(/^\s*\(([^()]*)\)\s*$/, "$1"));
  const parts = body.match(/\([^()]*\)/g) ?? [];
  return body.replace(/\([^()]*\)/g, "").replace(/[\s,]/g, "") === "" && parts.length > 0
    ? parts.map((part) => part.slice(1, -1))
    : undefined;
}

/** Parses well-known text of points and lines. Undefined if it is not valid. Polygons and empty shapes are not supported. */
export function readWkt(text: string): Shape | undefined {
  const head = HEAD.exec(text);
  const kind = head?.[1] === undefined ? undefined : kindNamed(head[1]);
  if (!head || !kind) return undefined;
  const end = text.trimEnd();
  if (!end.endsWith(")")) return undefined;
  const parts = bodies(kind, end.slice(head[0].length, -1));
  const paths: Float64Array[] = [];
  for (const part of parts ?? []) {
    const path = readPath(part);
    const least = kind.endsWith("POINT") ? 2 : 4;
    if (!path || path.length < least || (kind.endsWith("POINT") && path.length > 2)) return undefined;
    paths.push(path);
  }
  return parts ? { kind, paths } : undefined;
}

function pathText(path: Float64Array, digits: (value: number) => string): string {
  const points: string[] = [];
  for (let at = 0; at < path.length; at += 2) points.push(`${digits(path[at] ?? 0)} ${digits(path[at + 1] ?? 0)}`);
  return points.join(", ");
}

/** Formats well-known text as BigQuery does. `digits` formats each number. */
export function writeWkt({ kind, paths }: Shape, digits: (value: number) => string = String): string {
  const texts = paths.map((path) => pathText(path, digits));
  return kind === "MULTILINESTRING" ? `${kind}(${texts.map((text) => `(${text})`).join(", ")})` : `${kind}(${texts.join(", ")})`;
}

/** Returns the text of a shape in canonical form. Undefined if it is not valid. */
export function canonicalWkt(text: string): string | undefined {
  const shape = readWkt(text);
  return shape && writeWkt(shape);
}
