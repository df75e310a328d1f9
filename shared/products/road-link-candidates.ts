import * as v from "valibot";
import type { Point } from "../geometry/polygon.ts";
import { geometryOf } from "../geometry/wkt-to-geojson.ts";
import { type Statement, statement } from "../google/statement.ts";
import { type LinkCandidate, NEAREST_LINK_METRES } from "./nearest-road-link.ts";

/**
 * BigQuery measures on a sphere with a radius of 6,371,010 m. The ellipsoid's radius of curvature is 6,335,439 m (along the meridian, at
 * the equator) to 6,399,594 m (at the poles). These are the least and the most metres on the sphere per metre on the ellipsoid.
 */
const SPHERE = { least: 0.9955, most: 1.0057 } as const;
/**
 * Arcs on the sphere deviate from those on the ellipsoid by 0.66 m in the middle of an edge of 100 km, and by 7 mm for an edge of 10 km.
 */
const ARC_ERROR_METRES = 2;

const FARTHEST = (NEAREST_LINK_METRES * SPHERE.most + ARC_ERROR_METRES).toFixed(1);
const BAND = (SPHERE.most / SPHERE.least + 0.0001).toFixed(4);

/** Parses a row to its candidates, one per line of the link. Throws for a geometry that is not a line. */
const Candidates = v.pipe(
  v.object({ link_id: v.number(), link_name: v.string(), link_type: v.string(), line: v.string() }),
  v.transform(({ line: wkt, ...link }): LinkCandidate[] => linesOf(wkt).map((line) => ({ ...link, line }))),
);

/**
 * Returns a query of the road links of a country (ISO 3166-1 alpha-3) that may be the nearest to a point within `NEAREST_LINK_METRES`.
 * These are the few links that the sphere cannot distinguish from the nearest. `nearestLink` selects one and measures it. Country and
 * geometry are the clustering.
 */
export function nearestLinkStatement(country: string, [lon, lat]: Point): Statement<LinkCandidate[]> {
  return statement(
    Candidates,
    `SELECT link_id, link_name, link_type, line
FROM (
  SELECT link_id, name AS link_name, class AS link_type, ST_ASTEXT(geometry) AS line,
    ST_DISTANCE(geometry, ST_GEOGPOINT(@lon, @lat)) AS metres
  FROM \`mobility.road_links\`
  WHERE country_code = @country_code AND ST_DWITHIN(geometry, ST_GEOGPOINT(@lon, @lat), ${FARTHEST})
)
WHERE TRUE
QUALIFY metres <= ${BAND} * MIN(metres) OVER () + ${ARC_ERROR_METRES}`,
    {
      country_code: { type: "STRING", value: country },
      lon: { type: "FLOAT64", value: lon },
      lat: { type: "FLOAT64", value: lat },
    },
  );
}

/** Returns the text of a link's line. The warehouse stores a link as a point if it is too short for a line; this gives it two equal ends. */
export function lineText(wkt: string): string {
  return wkt.replace(/^POINT\s*\((.*)\)$/i, "LINESTRING($1, $1)");
}

function linesOf(wkt: string): readonly Point[][] {
  const geometry = geometryOf(lineText(wkt));
  if (geometry.type === "LineString") return [geometry.coordinates];
  if (geometry.type === "MultiLineString") return geometry.coordinates;
  throw new Error(`The geometry of a road link is a ${geometry.type}, not a line`);
}
