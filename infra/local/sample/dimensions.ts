import type { DuckDBConnection } from "@duckdb/node-api";
import type { SampleSize } from "./cells.ts";
import { cornersQuery, geographiesQuery } from "./geographies.ts";
import { makeAreas, makeCells, OFFSETS } from "./land.ts";
import { nestingQuery, placesQuery } from "./places.ts";
import { linkCellsQuery, linksQuery, shapesQuery } from "./road-links.ts";
import { addRoads } from "./roads.ts";
import { LEVELS, SAMPLE_COUNTRIES } from "./rules.ts";
import { runAll } from "./transaction.ts";

/** Countries whose links are also geographies, so that trips can begin and end there. */
const WITH_LINKS = SAMPLE_COUNTRIES.filter(({ odm }) => odm.includes("osm_links")).map(({ code }) => code);

/** Makes the temporary tables of places: cells, areas, land, geographies, links, and the numbers of all places. */
export async function makePlaces(connection: DuckDBConnection, size: SampleSize): Promise<void> {
  await makeCells(connection, size);
  await makeAreas(connection);
  await runAll(connection, [
    `CREATE TEMP TABLE sample_corners AS ${cornersQuery()}`,
    `CREATE TEMP TABLE sample_geographies AS ${geographiesQuery()}`,
    `CREATE TEMP TABLE sample_link_paths AS ${linksQuery(size.scale)}`,
    `CREATE TEMP TABLE sample_links AS ${shapesQuery()}`,
  ]);
  await addRoads(connection, size, WITH_LINKS);
  await runAll(connection, [
    ...WITH_LINKS.map(
      (
        country,
      ) => `INSERT INTO sample_geographies SELECT country, 'osm_links', link_id, name, NULL, lon, lat, geometry, city, east, north, 0, 0
      FROM sample_links WHERE country = '${country}'`,
    ),
    `CREATE TEMP TABLE sample_places AS ${placesQuery()}`,
    `CREATE TEMP TABLE sample_nesting AS ${nestingQuery()}`,
  ]);
}

/** Returns a query for the rows of each dimension by table name, with the columns in the table's order. The geographies are last. */
export function dimensionQueries(): ReadonlyMap<string, string> {
  const ids = { grid_250m: "cell_id", grid_1000m: "km_id", admin_level_4: "l4", admin_level_2: "l2" };
  const cells = [
    ...LEVELS.map(
      (level) => `SELECT country, '${level}' AS geo_type, ${ids[level]} AS geo_id, cell_id, 1::DOUBLE AS weight FROM sample_cells`,
    ),
    // An area without inhabited cells has the cell in its middle, so that it is in coverage.
    `SELECT areas.country, geo_type, geo_id, (floor(east / 250)::INTEGER * 250 + grid_offset)::BIGINT * 10000000 + floor(north / 250)::INTEGER * 250, 1::DOUBLE
    FROM sample_areas AS areas JOIN ${OFFSETS} USING (country)
    ANTI JOIN sample_cells AS cells ON cells.country = areas.country AND geo_id = CASE geo_type WHEN 'admin_level_4' THEN l4 ELSE l2 END`,
    ...WITH_LINKS.map((country) => `SELECT '${country}', 'osm_links', link_id, cell_id, weight FROM (${linkCellsQuery(country)})`),
    ...WITH_LINKS.map(
      (country) => `SELECT '${country}', 'osm_links', link_id, cell_id, weight FROM sample_road_cells WHERE country = '${country}'`,
    ),
  ];
  return new Map([
    ["geography_cells", `FROM (${cells.join(" UNION ALL ")}) ORDER BY country, geo_type, geo_id, cell_id`],
    [
      "coverage",
      `SELECT country, northing, (first + grid_offset)::BIGINT * 10000000 + northing, (last + grid_offset)::BIGINT * 10000000 + northing
      FROM sample_land JOIN ${OFFSETS} USING (country) ORDER BY country, northing, first`,
    ],
    ["road_links", `SELECT country, link_id, name, class, geometry FROM sample_links ORDER BY country, lat, lon, link_id`],
    [
      "geographies",
      `SELECT country_code, geo_type, geo_id, geo_name, parent_id, lon, lat, geometry FROM sample_geographies ORDER BY country_code, geo_type, geo_id`,
    ],
  ]);
}
