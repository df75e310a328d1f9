import type { Bbox } from "../geometry/bbox.ts";
import type { Parameters } from "../google/statement.ts";
import { wktExtent } from "../publishing/wkt-extent.ts";

/**
 * Returns GoogleSQL for rows with `geo_id`, `geo_name`, `lon`, `lat`, `geometry` and their extent, from a query that has these columns. Rows that
 * a release without an extent has loaded, whose sides are null, are read from their WKT. The texts of the others, which may be long, are not.
 */
export function withExtent(rows: string): string {
  const sides = Object.entries(wktExtent("unmeasured")).map(([side, value]) => `COALESCE(${side}, ${value}) AS ${side}`);
  return `(
  SELECT geo_id, geo_name, lon, lat, geometry,
    ${sides.join(",\n    ")}
  FROM (
    SELECT *, IF(west IS NULL, geometry, NULL) AS unmeasured
    FROM (
      ${rows}
    )
  )
)`;
}

/** Whether the extent of a geography, or its centroid if it has no geometry, touches the box `@west`, `@south`, `@east`, `@north`. */
export const TOUCHES_BOX =
  "IF(geometry IS NULL, lon BETWEEN @west AND @east AND lat BETWEEN @south AND @north, west <= @east AND east >= @west AND south <= @north AND north >= @south)";

/** Returns the parameters of a box, one per side. */
export function boxParameters([west, south, east, north]: Bbox): Parameters {
  return Object.fromEntries(Object.entries({ west, south, east, north }).map(([side, value]) => [side, { type: "FLOAT64", value }]));
}
