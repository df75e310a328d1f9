import { geometryOf } from "../../../shared/geometry/wkt-to-geojson.ts";
import type { PolygonGeometry, Position } from "../api/geometry.ts";
import { text } from "../texts.ts";

/** Six decimals of a degree are a tenth of a metre. */
const DECIMALS = 6;

/** A polygon as WKT, longitude first. */
export function wktOf({ coordinates }: PolygonGeometry): string {
  const rings = coordinates.map((ring) => `(${ring.map(([lon, lat]) => `${round(lon)} ${round(lat)}`).join(", ")})`);
  return `POLYGON(${rings.join(", ")})`;
}

/** Reads a polygon from WKT as far as it can be drawn; undefined if it cannot. The service says what is wrong with it. */
export function polygonOf(wkt: string): PolygonGeometry | undefined {
  try {
    const geometry = geometryOf(wkt);
    return geometry.type === "Polygon" ? { type: "Polygon", coordinates: geometry.coordinates } : undefined;
  } catch {
    return undefined;
  }
}

/** The position of a point that a fault names: rings and points count from 1, in the order of the text. */
export function positionIn(wkt: string, ring: number | undefined, point: number | undefined): Position | undefined {
  if (ring === undefined) return undefined;
  const rings = wkt.slice(wkt.indexOf("(") + 1).split(/\)\s*,/);
  const points = (rings[ring - 1] ?? "").replace(/[()]/g, " ").split(",");
  const [lon, lat] = (points[(point ?? 1) - 1] ?? "").trim().split(/\s+/).map(Number);
  return lon !== undefined && lat !== undefined && Number.isFinite(lon) && Number.isFinite(lat) ? [lon, lat] : undefined;
}

/** Returns the polygon of a GeoJSON text as WKT. Throws an error that says why there is none. */
export function wktOfGeoJson(content: string): string {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    throw new Error(text("draw.file.noJson"));
  }
  const found = polygonsIn(json);
  const [polygon] = found;
  if (!polygon) throw new Error(text("draw.file.noPolygon"));
  if (found.length > 1) throw new Error(text("draw.file.several", { count: found.length }));
  if (!isPolygon(polygon)) throw new Error(text("draw.file.badCoordinates"));
  return wktOf({ type: "Polygon", coordinates: polygon });
}

/** The coordinates of all polygons in a GeoJSON object. */
function polygonsIn(json: unknown): unknown[] {
  if (typeof json !== "object" || json === null) return [];
  if ("features" in json && Array.isArray(json.features)) return json.features.flatMap(polygonsIn);
  if ("geometries" in json && Array.isArray(json.geometries)) return json.geometries.flatMap(polygonsIn);
  if ("geometry" in json) return polygonsIn(json.geometry);
  if (!("type" in json) || !("coordinates" in json)) return [];
  if (json.type === "Polygon") return [json.coordinates];
  return json.type === "MultiPolygon" && Array.isArray(json.coordinates) ? json.coordinates : [];
}

function isPolygon(value: unknown): value is Position[][] {
  const isPosition = (position: unknown): boolean =>
    Array.isArray(position) && position.length >= 2 && position.slice(0, 2).every((degrees) => typeof degrees === "number");
  return (
    Array.isArray(value) && value.length > 0 && value.every((ring) => Array.isArray(ring) && ring.length > 0 && ring.every(isPosition))
  );
}

function round(degrees: number): number {
  return Number(degrees.toFixed(DECIMALS));
}
