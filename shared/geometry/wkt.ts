import type { Polygon } from "./polygon.ts";
import { polygonFaultInSlices } from "./polygon-validity.ts";
import { resultOf } from "./slices.ts";
import { FaultyWkt } from "./wkt-scanner.ts";
import { readRingsInSlices } from "./wkt-text.ts";

/** A valid WKT text is ASCII, so its characters are its bytes. */
const TEXT_MAX = 256 * 1024;

export type ParsedPolygon = { readonly ok: true; readonly polygon: Polygon } | { readonly ok: false; readonly detail: string };

/**
 * Parses a WKT `POLYGON` in any letter case and spacing: longitude then latitude in degrees. Rejects every text that is not the WKT of one
 * valid polygon within the limits (see `polygonFault`; 10,000 vertices, 256 KiB), with a detail that names the ring and the point.
 * Takes a few milliseconds for 10,000 vertices, and a few tens of milliseconds at most for any text.
 */
export function parsePolygon(wkt: string): ParsedPolygon {
  return resultOf(parsePolygonInSlices(wkt));
}

/** Does the same in slices: the generator yields between them, so that a server can do something else meanwhile. */
export function* parsePolygonInSlices(wkt: string): Generator<void, ParsedPolygon> {
  if (wkt.length > TEXT_MAX) {
    const [length, limit] = [wkt.length, TEXT_MAX].map((characters) => characters.toLocaleString("en-GB"));
    return { ok: false, detail: `the text has ${length} characters; at most ${limit} (256 KiB) are accepted` };
  }
  try {
    const polygon = { rings: yield* readRingsInSlices(wkt) };
    const detail = yield* polygonFaultInSlices(polygon);
    return detail === undefined ? { ok: true, polygon } : { ok: false, detail };
  } catch (error) {
    if (error instanceof FaultyWkt) return { ok: false, detail: error.message };
    throw error;
  }
}

/**
 * Reads a WKT `POLYGON` that `parsePolygon` has accepted before, in slices. It does not check again that it is valid, which takes the most time.
 */
export function* acceptedPolygonInSlices(wkt: string): Generator<void, Polygon> {
  return { rings: yield* readRingsInSlices(wkt) };
}
