import * as v from "valibot";
import type { GeoType } from "../countries/country-rules.ts";
import type { Bbox } from "../geometry/bbox.ts";
import { type Parameters, type Statement, statement } from "../google/statement.ts";

/** Filters for geographies. Optional filters have no effect if left out. */
export interface GeographyFilters {
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
  readonly geoType: GeoType;
  /** Overlaps the bounding box of the geometry; without a geometry, contains the centroid. Edges are included. */
  readonly bbox?: Bbox | undefined;
  /** Part of the name, in any letter case; at least one character. */
  readonly name?: string | undefined;
  readonly ids?: readonly number[] | undefined;
}

const GeographyRow = v.object({
  geo_id: v.number(),
  geo_name: v.string(),
  lon: v.number(),
  lat: v.number(),
  geometry: v.nullable(v.string()),
});
export type GeographyRow = v.InferOutput<typeof GeographyRow>;

/** The longitudes and the latitudes of a WKT text: numbers in pairs. */
const [LONS, LATS] = ["([^\\s(),]+)\\s+[^\\s(),]+", "[^\\s(),]+\\s+([^\\s(),]+)"].map((pair) => `REGEXP_EXTRACT_ALL(geometry, r'${pair}')`);
const overlaps = (values: string | undefined, [low, high]: readonly [string, string]) =>
  `(SELECT MIN(CAST(value AS FLOAT64)) <= @${high} AND MAX(CAST(value AS FLOAT64)) >= @${low} FROM UNNEST(${values}) AS value)`;
const OVERLAPS = `${overlaps(LONS, ["west", "east"])} AND ${overlaps(LATS, ["south", "north"])}`;
const IN_BOX = `IF(geometry IS NULL, lon BETWEEN @west AND @east AND lat BETWEEN @south AND @north, ${OVERLAPS})`;
/** REPLACE has no wildcards, so it matches the name literally. */
const NAME = "REPLACE(LOWER(geo_name), LOWER(@name), '') != LOWER(geo_name)";

/**
 * Returns a query of the first geographies after an id, ordered by id, at most `rowsMax`. The table is clustered by country, type and id,
 * so a page reads only the blocks of its type from that id on.
 */
export function findGeographiesStatement(filters: GeographyFilters, after: number | undefined, rowsMax: number): Statement<GeographyRow> {
  const { country, geoType, bbox, name, ids } = filters;
  const conditions = [
    "country_code = @country_code AND geo_type = @geo_type",
    ...(after === undefined ? [] : ["geo_id > @after"]),
    ...(ids ? ["geo_id IN UNNEST(@ids)"] : []),
    ...(bbox ? [IN_BOX] : []),
    ...(name === undefined ? [] : [NAME]),
  ];
  const parameters: Parameters = {
    country_code: { type: "STRING", value: country },
    geo_type: { type: "STRING", value: geoType },
    ...(after === undefined ? {} : { after: { type: "INT64", value: after } }),
    ...(ids ? { ids: { type: "ARRAY<INT64>", value: ids } } : {}),
    ...(bbox ? sides(bbox) : {}),
    ...(name === undefined ? {} : { name: { type: "STRING", value: name } }),
    rows_max: { type: "INT64", value: rowsMax },
  };
  return statement(
    GeographyRow,
    `SELECT geo_id, geo_name, lon, lat, geometry
FROM \`mobility.geographies\`
WHERE ${conditions.join("\n  AND ")}
ORDER BY geo_id
LIMIT @rows_max`,
    parameters,
  );
}

function sides([west, south, east, north]: Bbox): Parameters {
  return Object.fromEntries(Object.entries({ west, south, east, north }).map(([side, value]) => [side, { type: "FLOAT64", value }]));
}
