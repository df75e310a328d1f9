import { constants } from "./literals.ts";
import { finestOf, LEVELS, SAMPLE_COUNTRIES, type SampleCountry } from "./rules.ts";

/**
 * Returns a query over `sample_geographies` that numbers them (`place`) in the order of the fact tables' clusters: place, country, city,
 * geo_type, geo_id, lon, lat, east, north, work, home. Facts are generated and sorted with these small numbers.
 */
export function placesQuery(): string {
  return `SELECT (row_number() OVER (ORDER BY country_code, geo_type, geo_id))::INTEGER AS place, country_code AS country, city, geo_type, geo_id,
    lon, lat, east, north, work, home
  FROM sample_geographies ORDER BY place`;
}

/** Returns a query over `sample_cells` and `sample_places` for each cell's place and the places around it, in columns named by level. */
export function nestingQuery(): string {
  const ids = { grid_250m: "cell_id", grid_1000m: "km_id", admin_level_4: "l4", admin_level_2: "l2" };
  // Each join has one key, made of the id and the city. With the country as a second key, the planner may join the places to each other
  // first.
  const joins = LEVELS.map(
    (level) => `JOIN (SELECT place AS ${level}, geo_id * 1000 + city AS ${level}_key FROM sample_places WHERE geo_type = '${level}')
    ON ${level}_key = ${ids[level]} * 1000 + sample_cells.city`,
  );
  return `SELECT country, ${LEVELS.join(", ")} FROM sample_cells ${joins.join(" ")}`;
}

/**
 * Returns the types of a product as `(VALUES …) AS offered(country, geo_type, level, finest)`. `level` is the index in `LEVELS`, 0 for the
 * finest of all.
 */
export function offered(product: (country: SampleCountry) => readonly string[]): string {
  const rows = SAMPLE_COUNTRIES.flatMap((country) => {
    const types = product(country);
    return LEVELS.flatMap((level, index) => (types.includes(level) ? [[country.code, level, index, level === finestOf(types)]] : []));
  });
  return constants("offered", ["country", "geo_type", "level", "finest"], rows);
}
