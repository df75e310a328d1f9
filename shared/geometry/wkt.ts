import type { Polygon } from "./polygon.ts";
import { polygonFault } from "./polygon-validity.ts";
import { FaultyWkt } from "./wkt-scanner.ts";
import { readRings } from "./wkt-text.ts";

/** A valid text in WKT is ASCII, so that its characters are its bytes. */
const TEXT_MAX = 256 * 1024;

export type ParsedPolygon = { readonly ok: true; readonly polygon: Polygon } | { readonly ok: false; readonly detail: string };

/**
 * Reads a `POLYGON` in WKT, in any letter case and spacing: longitude then latitude in degrees. Strict: every text that is not the WKT of one
 * valid polygon within the limits (see `polygonFault`; 10,000 vertices, 256 KiB) is refused with a detail that names the ring and the point.
 * Takes some milliseconds for 10,000 vertices, some tens at most for any text.
 */
export function parsePolygon(wkt: string): ParsedPolygon {
  if (wkt.length > TEXT_MAX) {
    const [length, limit] = [wkt.length, TEXT_MAX].map((characters) => characters.toLocaleString("en-GB"));
    return { ok: false, detail: `the text has ${length} characters; at most ${limit} (256 KiB) are accepted` };
  }
  try {
    const polygon = { rings: readRings(wkt) };
    const detail = polygonFault(polygon);
    return detail === undefined ? { ok: true, polygon } : { ok: false, detail };
  } catch (error) {
    if (error instanceof FaultyWkt) return { ok: false, detail: error.message };
    throw error;
  }
}
