import * as v from "valibot";
import type { Polygon } from "../geometry/polygon.ts";
import { acceptedPolygonInSlices, parsePolygonInSlices } from "../geometry/wkt.ts";
import type { RawRequest } from "../http/define-endpoint.ts";
import { type FieldError, invalidFields } from "../http/errors.ts";
import { inSlices } from "../runtime/in-slices.ts";

const POINTER = "/geometry";
const Drawn = v.object({ type: v.optional(v.literal("custom_polygon")), geometry: v.string() });

/** Returns the polygon of a WKT text. Throws `invalid_argument` for any other text, with the ring and the point. Runs in slices. */
export async function checkGeometry(geometry: string): Promise<Polygon> {
  const parsed = await inSlices(parsePolygonInSlices(geometry));
  if (!parsed.ok) throw invalidFields([faultOf(parsed.detail)]);
  return parsed.polygon;
}

/** Returns the polygon of a stored map's geometry, which was checked before. Runs in slices. */
export function storedPolygon(geometry: string): Promise<Polygon> {
  return inSlices(acceptedPolygonInSlices(geometry));
}

/** Returns the same error for the geometry in the body of a request, if any. Runs in slices. */
export async function geometryFaults({ body }: RawRequest): Promise<readonly FieldError[]> {
  const drawn = v.safeParse(Drawn, body);
  if (!drawn.success) return [];
  const parsed = await inSlices(parsePolygonInSlices(drawn.output.geometry));
  return parsed.ok ? [] : [faultOf(parsed.detail)];
}

function faultOf(detail: string): FieldError {
  return { pointer: POINTER, detail };
}
