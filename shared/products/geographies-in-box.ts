import * as v from "valibot";
import type { GeoType } from "../countries/country-rules.ts";
import type { Bbox } from "../geometry/bbox.ts";
import { touchesBox } from "../geometry/touches-box.ts";
import { geometryOf } from "../geometry/wkt-to-geojson.ts";
import type { Labels, Warehouse } from "../google/bigquery.ts";
import { onlyRow, type Parameters, type Statement, statement } from "../google/statement.ts";
import { invalidFields } from "../http/errors.ts";

/** The maximum number of geographies in the box of a preview. */
const GEOGRAPHIES_MAX = 5000;

/** The longitudes and the latitudes of a WKT text: numbers in pairs. */
const [LONS, LATS] = ["([^\\s(),]+)\\s+[^\\s(),]+", "[^\\s(),]+\\s+([^\\s(),]+)"].map((pair) => `REGEXP_EXTRACT_ALL(geometry, r'${pair}')`);
const extent = (values: string | undefined, test: (least: string, most: string) => string) =>
  `(SELECT ${test("MIN(CAST(value AS FLOAT64))", "MAX(CAST(value AS FLOAT64))")} FROM UNNEST(${values}) AS value)`;
const overlaps = (values: string | undefined, [low, high]: readonly [string, string]) =>
  extent(values, (least, most) => `${least} <= @${high} AND ${most} >= @${low}`);
const within = (values: string | undefined, [low, high]: readonly [string, string]) =>
  extent(values, (least, most) => `${least} >= @${low} AND ${most} <= @${high}`);
const WIDTH = ["west", "east"] as const;
const HEIGHT = ["south", "north"] as const;

/** Whether the extent of a geometry, or its centroid if it has none, touches the box `@west`, `@south`, `@east`, `@north`. */
export const TOUCHES_BOX = `IF(geometry IS NULL, lon BETWEEN @west AND @east AND lat BETWEEN @south AND @north, ${overlaps(LONS, WIDTH)} AND ${overlaps(LATS, HEIGHT)})`;

/** Returns the parameters of a box, one per side. */
export function boxParameters([west, south, east, north]: Bbox): Parameters {
  return Object.fromEntries(Object.entries({ west, south, east, north }).map(([side, value]) => [side, { type: "FLOAT64", value }]));
}

const InBox = v.object({
  geographies: v.number(),
  first: v.nullable(v.array(v.object({ geo_id: v.number(), geometry: v.nullable(v.string()) }))),
});
type InBox = v.InferOutput<typeof InBox>;

/**
 * Returns a query of the geographies of a type whose extent touches a box: one row with their number, and the first ones by id, at most
 * `GEOGRAPHIES_MAX`. Only those whose extent leaves the box come with their geometry: the others certainly touch it.
 */
export function geographiesInBoxStatement(country: string, geoType: GeoType, bbox: Bbox): Statement<InBox> {
  return statement(
    InBox,
    `SELECT COUNT(*) AS geographies, ARRAY_AGG(STRUCT(geo_id, geometry) ORDER BY geo_id LIMIT ${GEOGRAPHIES_MAX}) AS first
FROM (
  SELECT geo_id, IF(${within(LONS, WIDTH)} AND ${within(LATS, HEIGHT)}, NULL, geometry) AS geometry
  FROM \`mobility.geographies\`
  WHERE country_code = @country_code AND geo_type = @geo_type AND ${TOUCHES_BOX}
)`,
    { country_code: { type: "STRING", value: country }, geo_type: { type: "STRING", value: geoType }, ...boxParameters(bbox) },
  );
}

/**
 * Returns the ids of the geographies of a type that touch a box, ascending: those that GET /geographies finds. Throws `invalid_argument` if
 * the extents of more than `GEOGRAPHIES_MAX` do.
 */
export async function geographiesInBox(
  { country_code: country, geo_type: geoType, bbox }: { readonly country_code: string; readonly geo_type: GeoType; readonly bbox: Bbox },
  warehouse: Pick<Warehouse, "query">,
  labels: Labels,
): Promise<number[]> {
  const { geographies, first } = onlyRow(await warehouse.query(geographiesInBoxStatement(country, geoType, bbox), labels));
  if (geographies > GEOGRAPHIES_MAX) {
    const [there, most] = [geographies, GEOGRAPHIES_MAX].map((count) => count.toLocaleString("en"));
    const detail = `reaches ${there} geographies of ${geoType}, and a preview shows at most ${most}: send a smaller box or a coarser geo_type, or submit a job with POST /data-agg`;
    throw invalidFields([{ pointer: "/bbox", detail }]);
  }
  return (first ?? []).flatMap(({ geo_id, geometry }) => (geometry === null || touchesBox(geometryOf(geometry), bbox) ? [geo_id] : []));
}
