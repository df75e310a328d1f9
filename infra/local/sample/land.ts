import type { DuckDBConnection } from "@duckdb/node-api";
import { areaRows } from "./areas.ts";
import { type SampleSize, sampleCells, townsAt } from "./cells.ts";
import { constants } from "./literals.ts";
import { countryMaps } from "./map/country-map.ts";
import { SAMPLE_COUNTRIES } from "./rules.ts";
import { makeTable } from "./tables.ts";

/** `(VALUES …)` of the metres added to eastings in ids: country, grid_offset. */
export const OFFSETS = constants(
  "offsets",
  ["country", "grid_offset"],
  SAMPLE_COUNTRIES.map(({ code, eastingOffset }) => [code, eastingOffset]),
);

/**
 * Makes the table `sample_cells` of the inhabited 250 m cells: country, city (the number of the town), l2, l4, km_id, cell_id, the south-west
 * corners in metres of the cell (east, north) and of its km cell (km_east, km_north), and the devices at the busiest hour due to `work` and
 * due to `home`.
 */
export async function makeCells(connection: DuckDBConnection, size: SampleSize): Promise<void> {
  const columns =
    "country VARCHAR, town INTEGER, municipality BIGINT, area BIGINT, east INTEGER, north INTEGER, work INTEGER, home INTEGER";
  await makeTable(connection, "sample_drawn", columns, sampleCells(size));
  const cornerOf = (axis: string): string => `floor(${axis} / 1000)::INTEGER * 1000`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE sample_cells AS SELECT country, town AS city, municipality AS l2, area AS l4,
    (km_east + grid_offset)::BIGINT * 10000000 + km_north AS km_id, (east + grid_offset)::BIGINT * 10000000 + north AS cell_id,
    east, north, km_east, km_north, work, home
  FROM (SELECT *, ${cornerOf("east")} AS km_east, ${cornerOf("north")} AS km_north FROM sample_drawn) JOIN ${OFFSETS} USING (country)
  ORDER BY country, cell_id`);
  await connection.run("DROP TABLE sample_drawn");
}

/**
 * Makes the table `sample_areas` of the areas with invented boundaries (country, city, geo_type, geo_id, geo_name, parent_id, the centroid in
 * degrees and in metres, geometry), and `sample_land` of the 250 m cells on land (country, northing and the eastings of the first and the
 * last cell of a run).
 */
export async function makeAreas(connection: DuckDBConnection): Promise<void> {
  const areas =
    "country VARCHAR, city INTEGER, geo_type VARCHAR, geo_id BIGINT, geo_name VARCHAR, parent_id BIGINT, lon DOUBLE, lat DOUBLE, east INTEGER, north INTEGER, geometry VARCHAR";
  await makeTable(connection, "sample_areas", areas, areaRows(townsAt(1)));
  const runs = countryMaps().flatMap((map) => map.land.map((run) => ({ country: map.country.code, ...run })));
  await makeTable(connection, "sample_land", "country VARCHAR, northing INTEGER, first INTEGER, last INTEGER", runs);
}
