import * as v from "valibot";
import type { GeoType } from "../countries/country-rules.ts";
import type { Bbox } from "../geometry/bbox.ts";
import { type Parameters, type Statement, statement } from "../google/statement.ts";
import { boxParameters, TOUCHES_BOX, withExtent } from "../products/geographies-in-box.ts";
import { foldedSql } from "./folded-name.ts";

/** Filters for geographies. Optional filters have no effect if left out. */
export interface GeographyFilters {
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
  readonly geoType: GeoType;
  /** Overlaps the bounding box of the geometry; without a geometry, contains the centroid. Edges are included. */
  readonly bbox?: Bbox | undefined;
  /** Part of the name, in any letter case, with or without diacritics; at least one character. */
  readonly name?: string | undefined;
  readonly ids?: readonly number[] | undefined;
  /** Whether to search the road links of Flow, which need a box, instead of the geographies of products. */
  readonly areRoads?: boolean;
}

const GeographyRow = v.object({
  geo_id: v.number(),
  geo_name: v.string(),
  lon: v.number(),
  lat: v.number(),
  geometry: v.nullable(v.string()),
});
export type GeographyRow = v.InferOutput<typeof GeographyRow>;

/** STRPOS has no wildcards, so it matches the name literally. A lone mark folds to nothing, which is a part of every name: it finds none. */
const NAME = `STRPOS(${foldedSql("geo_name")}, NULLIF(${foldedSql("@name")}, '')) > 0`;

/**
 * The characters of geometry in a page. Its JSON takes several times as much memory while it is made, and a process makes as many pages as it has
 * requests; Cloud Run limits a response to 32 MiB. The outlines of a country's municipalities may have a hundred MiB.
 */
export const GEOMETRY_CHARACTERS_MAX = 2 * 1024 * 1024;

/**
 * The most characters of a geography's geometry, which the import demands. One that is longer than a page is read whole, also by each preview whose box
 * crosses it, and an answer of BigQuery has at most 20 MB.
 */
export const LONGEST_GEOMETRY_CHARACTERS = 8 * 1024 * 1024;

/**
 * Returns a query of the first geographies after an id, ordered by id, at most `rowsMax`, and of their geometries as much as a page has and what shows
 * that there is more. The table is clustered by country, type and id, so a page reads only the blocks of its type from that id on.
 */
export function findGeographiesStatement(filters: GeographyFilters, after: number | undefined, rowsMax: number): Statement<GeographyRow> {
  const { country, geoType, bbox, name, ids, areRoads } = filters;
  const {
    from,
    where,
    parameters: own,
  } = areRoads ? roadsNear(bbox) : { ...GEOGRAPHIES, parameters: { geo_type: { type: "STRING", value: geoType } } as const };
  const conditions = [
    ...where,
    ...(after === undefined ? [] : ["geo_id > @after"]),
    ...(ids ? ["geo_id IN UNNEST(@ids)"] : []),
    ...(name === undefined ? [] : [NAME]),
  ];
  const parameters: Parameters = {
    country_code: { type: "STRING", value: country },
    ...own,
    ...(after === undefined ? {} : { after: { type: "INT64", value: after } }),
    ...(ids ? { ids: { type: "ARRAY<INT64>", value: ids } } : {}),
    ...(bbox ? boxParameters(bbox) : {}),
    ...(name === undefined ? {} : { name: { type: "STRING", value: name } }),
    rows_max: { type: "INT64", value: rowsMax },
    characters_max: { type: "INT64", value: GEOMETRY_CHARACTERS_MAX },
  };
  const columns = bbox ? "geo_id, geo_name, lon, lat, geometry, west, south, east, north" : "geo_id, geo_name, lon, lat, geometry";
  const rows = `SELECT ${columns}
      FROM ${from}
      WHERE ${conditions.join("\n        AND ")}`;
  return statement(
    GeographyRow,
    `SELECT geo_id, geo_name, lon, lat, geometry
FROM (
  SELECT geo_id, geo_name, lon, lat, geometry,
    SUM(LENGTH(geometry)) OVER (ORDER BY geo_id ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING) AS characters
  FROM (
    SELECT geo_id, geo_name, lon, lat, geometry
    FROM ${bbox ? `${withExtent(rows)}\n    WHERE ${TOUCHES_BOX}` : `(\n      ${rows}\n    )`}
    ORDER BY geo_id
    LIMIT @rows_max
  )
)
WHERE IFNULL(characters, 0) <= @characters_max
ORDER BY geo_id`,
    parameters,
  );
}

const GEOGRAPHIES = { from: "`mobility.geographies`", where: ["country_code = @country_code AND geo_type = @geo_type"] };

/** Metres per degree of a great circle, at least, and how far lines of the warehouse may be from those of a box: edges differ on what is straight. */
const DEGREE_METRES = 111_200;
const BULGE_METRES = 5000;

/** Road links with the columns of geographies. The table is clustered by geometry: a circle around the box selects, before the exact test. */
function roadsNear(bbox: Bbox | undefined) {
  if (!bbox) throw new Error("Road links are only found by a box");
  const [west, south, east, north] = bbox;
  const radius = Math.ceil((Math.hypot(east - west, north - south) / 2) * DEGREE_METRES + BULGE_METRES);
  return {
    from: `(
  SELECT link_id AS geo_id, name AS geo_name, ROUND(ST_X(ST_CENTROID(geometry)), 6) AS lon,
    ROUND(ST_Y(ST_CENTROID(geometry)), 6) AS lat, ST_ASTEXT(geometry) AS geometry,
    CAST(NULL AS FLOAT64) AS west, CAST(NULL AS FLOAT64) AS south, CAST(NULL AS FLOAT64) AS east, CAST(NULL AS FLOAT64) AS north
  FROM \`mobility.road_links\`
  WHERE country_code = @country_code AND ST_DWITHIN(geometry, ST_GEOGPOINT(@middle_lon, @middle_lat), @radius)
)`,
    where: ["geometry IS NOT NULL"],
    parameters: {
      middle_lon: { type: "FLOAT64", value: (west + east) / 2 },
      middle_lat: { type: "FLOAT64", value: (south + north) / 2 },
      radius: { type: "FLOAT64", value: radius },
    } as const,
  };
}
