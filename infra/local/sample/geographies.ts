import { withLonLat } from "./projection.ts";
import { SAMPLE_COUNTRIES } from "./rules.ts";

/** Returns a query over `sample_cells` for the corners of the cells and the corners and the middles of their km cells: id, lon, lat and `position` (lon and lat as text). */
export function cornersQuery(): string {
  const corners = [
    ...[0, 250].flatMap((x) => [0, 250].map((y) => `SELECT country, east + ${x} AS east, north + ${y} AS north FROM sample_cells`)),
    ...[0, 1000].flatMap((x) => [0, 1000].map((y) => `SELECT country, km_east + ${x}, km_north + ${y} FROM sample_cells`)),
    "SELECT country, km_east + 500, km_north + 500 FROM sample_cells",
  ];
  const byCrs = Map.groupBy(SAMPLE_COUNTRIES, ({ crs }) => crs);
  const projected = [...byCrs].map(([crs, countries]) => {
    const codes = countries.map(({ code }) => `'${code}'`).join(", ");
    // Without the country: two neighbours may share a corner.
    return withLonLat(`(SELECT DISTINCT east, north FROM (${corners.join(" UNION ALL ")}) WHERE country IN (${codes}))`, crs);
  });
  return `SELECT ${cornerId("east", "north")} AS corner, lon, lat, lon || ' ' || lat AS position FROM (${projected.join(" UNION ALL ")})`;
}

/**
 * Returns a query over `sample_cells`, `sample_corners` and `sample_areas` for every geography except links: the columns of
 * `mobility.geographies`, the town's number (`city`), the centroid in metres (`east`, `north`), and the devices at the busiest hour (`work`,
 * `home`).
 */
export function geographiesQuery(): string {
  return `${squares()} UNION ALL ${areas("admin_level_4", "l4")} UNION ALL ${areas("admin_level_2", "l2")}`;
}

/** Returns a query for the cells. The centroid of a 250 m cell is the mean of its corners. */
function squares(): string {
  const sums = "country, city, sum(work)::INTEGER AS work, sum(home)::INTEGER AS home";
  const all = `SELECT 'grid_250m' AS geo_type, cell_id AS geo_id, ${cellName("250m", "cell_id", "east", "north", 10)} AS geo_name, l4 AS parent_id,
      east AS x, north AS y, 250 AS side, country, city, work, home FROM sample_cells
    UNION ALL
    SELECT 'grid_1000m', km_id, ${cellName("1km", "km_id", "km_east", "km_north", 1000)}, l4, km_east, km_north, 1000, ${sums}
    FROM sample_cells GROUP BY country, city, km_id, l4, km_east, km_north`;
  const corner = (name: string, x: string, y: string): string =>
    `JOIN sample_corners AS ${name} ON ${name}.corner = ${cornerId(`x + ${x}`, `y + ${y}`)}`;
  return `SELECT squares.country AS country_code, geo_type, geo_id, geo_name, parent_id,
    round(coalesce(centre.lon, (sw.lon + se.lon + ne.lon + nw.lon) / 4), 8) AS lon,
    round(coalesce(centre.lat, (sw.lat + se.lat + ne.lat + nw.lat) / 4), 8) AS lat,
    concat('POLYGON((', sw.position, ', ', se.position, ', ', ne.position, ', ', nw.position, ', ', sw.position, '))') AS geometry,
    city, x + side // 2 AS east, y + side // 2 AS north, work, home
  FROM (${all}) AS squares
  ${corner("sw", "0", "0")} ${corner("se", "side", "0")} ${corner("ne", "side", "side")} ${corner("nw", "0", "side")}
  LEFT ${corner("centre", "side // 2", "side // 2")}`;
}

/** Returns a query for the areas of a type. Where nobody lives, `work` and `home` are 0. */
function areas(geoType: string, id: string): string {
  return `SELECT areas.country, geo_type, geo_id, geo_name, parent_id, lon, lat, geometry, areas.city, areas.east, areas.north,
    coalesce(sum(work), 0)::INTEGER, coalesce(sum(home), 0)::INTEGER
  FROM sample_areas AS areas LEFT JOIN sample_cells AS cells ON cells.${id} = geo_id AND cells.country = areas.country
  WHERE geo_type = '${geoType}' GROUP BY ALL`;
}

/** Returns one number for a corner, so that joins have one key. Corners in different projections never have the same number. */
function cornerId(east: string, north: string): string {
  return `((${east})::BIGINT * 10000000 + ${north})`;
}

/** Returns the name of a cell. Names in the INSPIRE grid contain the corner. Statistics Norway names its cells by their ids. */
function cellName(size: "250m" | "1km", id: string, east: string, north: string, unit: number): string {
  return `CASE country WHEN 'NOR' THEN 'SSB ${size} ' || ${id} ELSE '${size}N' || ${north} // ${unit} || 'E' || ${east} // ${unit} END`;
}
