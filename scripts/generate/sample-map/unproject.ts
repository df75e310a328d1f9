import type { Crs, Position } from "../../../shared/geometry/crs.ts";
import { project } from "../../../shared/geometry/projection.ts";

const STEP = 1e-4;

/**
 * Returns the degrees of a position, to a millimetre, by Newton's method on the projection.
 * @param near degrees in the neighbourhood, to begin with
 */
export function unproject(crs: Crs, { easting, northing }: Position, near: readonly [number, number]): [lon: number, lat: number] {
  let [lon, lat] = near;
  for (let round = 0; round < 8; round++) {
    const at = project(crs, [lon, lat]);
    const [x, y] = [easting - at.easting, northing - at.northing];
    if (Math.hypot(x, y) < 0.001) break;
    const [ahead, above] = [project(crs, [lon + STEP, lat]), project(crs, [lon, lat + STEP])];
    const [xLon, yLon] = [(ahead.easting - at.easting) / STEP, (ahead.northing - at.northing) / STEP];
    const [xLat, yLat] = [(above.easting - at.easting) / STEP, (above.northing - at.northing) / STEP];
    const determinant = xLon * yLat - xLat * yLon;
    lon += (x * yLat - y * xLat) / determinant;
    lat += (y * xLon - x * yLon) / determinant;
  }
  return [lon, lat];
}
