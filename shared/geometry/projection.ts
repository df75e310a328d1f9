import proj4 from "proj4";
import type { Crs, Position } from "./crs.ts";
import type { Point } from "./polygon.ts";

type Projection = InstanceType<typeof proj4.Proj>;

const RADIANS = Math.PI / 180;
/** Treats ETRS89 and WGS 84 as equal, like every web map: they differ by less than a metre, the drift of Europe since 1989. */
const DEFINITIONS: Readonly<Record<Crs, string>> = {
  "EPSG:3035": "+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m +no_defs",
  "EPSG:25833": "+proj=utm +zone=33 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m +no_defs",
};
const projections = new Map<Crs, Projection>();

/** Projects degrees to metres. The point must lie in the extent of the projection (`CRS_EXTENTS`). */
export function project(crs: Crs, [lon, lat]: Point): Position {
  const { x, y } = projection(crs).forward({ x: lon * RADIANS, y: lat * RADIANS });
  return { easting: x, northing: y };
}

function projection(crs: Crs): Projection {
  let made = projections.get(crs);
  if (!made) {
    made = new proj4.Proj(DEFINITIONS[crs]);
    projections.set(crs, made);
  }
  return made;
}
