import * as v from "valibot";
import { parsePolygonInSlices } from "../geometry/wkt.ts";
import type { RawRequest } from "../http/define-endpoint.ts";
import { type FieldError, invalidFields } from "../http/errors.ts";
import { inSlices } from "../runtime/in-slices.ts";

const POINTER = "/geometry";
const Drawn = v.object({ type: v.optional(v.literal("custom_polygon")), geometry: v.string() });

/** Throws `invalid_argument` for a text that is not the WKT of one valid polygon, with the ring and the point. Runs in slices. */
export async function checkGeometry(geometry: string): Promise<void> {
  const faults = await faultsOf(geometry);
  if (faults.length > 0) throw invalidFields(faults);
}

/** Returns the same error for the geometry in the body of a request, if any. Runs in slices. */
export async function geometryFaults({ body }: RawRequest): Promise<readonly FieldError[]> {
  const drawn = v.safeParse(Drawn, body);
  return drawn.success ? faultsOf(drawn.output.geometry) : [];
}

async function faultsOf(geometry: string): Promise<FieldError[]> {
  const parsed = await inSlices(parsePolygonInSlices(geometry));
  return parsed.ok ? [] : [{ pointer: POINTER, detail: parsed.detail }];
}
