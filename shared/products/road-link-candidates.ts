import * as v from "valibot";
import type { Point } from "../geometry/polygon.ts";
import { geometryOf } from "../geometry/wkt-to-geojson.ts";
import { type Statement, statement } from "../google/statement.ts";
import { type LinkCandidate, NEAREST_LINK_METRES } from "./nearest-road-link.ts";

/**
 * BigQuery measures on a sphere of 6,371,010 m. The ellipsoid is curved with 6,335,439 m (along the meridian, at the equator) to 6,399,594 m
 * (at the poles), so that a metre is at least and at most so much there.
 */
const SPHERE = { least: 0.9955, most: 1.0057 } as const;
/** The arcs of the sphere lie beside those of the ellipsoid, 0.66 m in the middle of an edge of 100 km, 7 mm of one of 10 km. */
const BESIDE_METRES = 2;

const FARTHEST = (NEAREST_LINK_METRES * SPHERE.most + BESIDE_METRES).toFixed(1);
const BAND = (SPHERE.most / SPHERE.least + 0.0001).toFixed(4);

/** The candidates of a row, one for each line of the link. Throws for a geometry that is no line. */
const Candidates = v.pipe(
  v.object({ link_id: v.number(), link_name: v.string(), link_type: v.string(), line: v.string() }),
  v.transform(({ line: wkt, ...link }): LinkCandidate[] => linesOf(wkt).map((line) => ({ ...link, line }))),
);

/**
 * The road links of a country (ISO 3166-1 alpha-3) that may be the nearest to a point within `NEAREST_LINK_METRES`: those that the sphere
 * cannot tell from the nearest, so few. Which one it is, and how far, is for `nearestLink` to say. Country and geometry are the clustering.
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
QUALIFY metres <= ${BAND} * MIN(metres) OVER () + ${BESIDE_METRES}`,
    {
      country_code: { type: "STRING", value: country },
      lon: { type: "FLOAT64", value: lon },
      lat: { type: "FLOAT64", value: lat },
    },
  );
}

/** A link that is shorter than the warehouse can tell is a point there. */
function linesOf(wkt: string): readonly Point[][] {
  const geometry = geometryOf(wkt.replace(/^POINT/i, "LINESTRING"));
  if (geometry.type === "LineString") return [geometry.coordinates];
  if (geometry.type === "MultiLineString") return geometry.coordinates;
  throw new Error(`The geometry of a road link is a ${geometry.type}, not a line`);
}
