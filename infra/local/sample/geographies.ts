import { withLonLat } from "./projection.ts";
import { SAMPLE_COUNTRIES } from "./rules.ts";

/** Returns a query over `sample_cells` for the corners of the cells: id, lon, lat and `position` (lon and lat as text). */
export function cornersQuery(): string {
  const corners = [0, 250].flatMap((x) =>
    [0, 250].map((y) => `SELECT country, east + ${x} AS east, north + ${y} AS north FROM sample_cells`),
  );
  const byCrs = Map.groupBy(SAMPLE_COUNTRIES, ({ crs }) => crs);
  const projected = [...byCrs].map(([crs, countries]) => {
    const codes = countries.map(({ code }) => `'${code}'`).join(", ");
    return withLonLat(`(SELECT DISTINCT * FROM (${corners.join(" UNION ALL ")}) WHERE country IN (${codes}))`, crs);
  });
  return `SELECT ${cornerId("east", "north")} AS corner, lon, lat, lon || ' ' || lat AS position FROM (${projected.join(" UNION ALL ")})`;
}

/**
 * Returns a query over `sample_cells` and `sample_corners` for every geography except links: the columns of `mobility.geographies`, the
 * city's number, the centroid in metres (`east`, `north`), and the devices at the busiest hour (`work`, `home`).
 */
export function geographiesQuery(): string {
  return `${squares()} UNION ALL ${municipalities()}`;
}

/**
 * Returns a query for the cells and the admin_level_4 areas, which are squares. The centroid of a 250 m cell is the mean of its corners.
 * The centroid of a larger square is a corner of 250 m cells.
 */
function squares(): string {
  const sums = "country, city, sum(work)::INTEGER AS work, sum(home)::INTEGER AS home";
  const all = `SELECT 'grid_250m' AS geo_type, cell_id AS geo_id, ${cellName("250m", "cell_id", "east", "north", 10)} AS geo_name, l4 AS parent_id,
      east AS x, north AS y, 250 AS side, country, city, work, home FROM sample_cells
    UNION ALL
    SELECT 'grid_1000m', km_id, ${cellName("1km", "km_id", "km_east", "km_north", 1000)}, l4, km_east, km_north, 1000, ${sums}
    FROM sample_cells GROUP BY country, city, km_id, l4, km_east, km_north
    UNION ALL
    SELECT 'admin_level_4', l4, l4_name, l2, block_east, block_north, 2000, ${sums}
    FROM sample_cells GROUP BY country, city, l2, l4, l4_name, block_east, block_north`;
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

/**
 * Returns a query for the admin_level_2 areas, which are rectangles. Their edges have a vertex at every admin_level_4 area, so that
 * neighbours share their vertices.
 */
function municipalities(): string {
  const areas = `SELECT *, (x1 - x0) // 2000 AS width, (y1 - y0) // 2000 AS height FROM (
    SELECT country, city, l2, l2_name, min(east) AS x0, max(east) + 250 AS x1, min(north) AS y0, max(north) + 250 AS y1,
      sum(work)::INTEGER AS work, sum(home)::INTEGER AS home
    FROM sample_cells GROUP BY country, city, l2, l2_name)`;
  // Walks counter-clockwise from the south-west corner in steps of 2 km, back to that corner.
  const walk = `SELECT *, x0 + 2000 * (least(step, width) - greatest(0, least(step - width - height, width))) AS x,
    y0 + 2000 * (greatest(0, least(step - width, height)) - greatest(0, step - 2 * width - height)) AS y
  FROM (SELECT *, unnest(range(2 * (width + height) + 1)) AS step FROM (${areas}))`;
  const outlined = `SELECT walk.country, city, l2, l2_name, work, home, (x0 + x1) // 2 AS east, (y0 + y1) // 2 AS north,
    concat('POLYGON((', string_agg(position, ', ' ORDER BY step), '))') AS geometry
  FROM (${walk}) AS walk JOIN sample_corners ON corner = ${cornerId("x", "y")}
  GROUP BY walk.country, city, l2, l2_name, work, home, x0, x1, y0, y1`;
  return `SELECT country, 'admin_level_2', l2, l2_name, NULL, lon, lat, geometry, city, east, north, work, home
  FROM (${outlined}) JOIN sample_corners ON corner = ${cornerId("east", "north")}`;
}

/** Returns one number for a corner, so that joins have one key. Corners in different projections never have the same number. */
function cornerId(east: string, north: string): string {
  return `((${east})::BIGINT * 10000000 + ${north})`;
}

/** Returns the name of a cell. Names in the INSPIRE grid contain the corner. Statistics Norway names its cells by their ids. */
function cellName(size: "250m" | "1km", id: string, east: string, north: string, unit: number): string {
  return `CASE country WHEN 'NOR' THEN 'SSB ${size} ' || ${id} ELSE '${size}N' || ${north} // ${unit} || 'E' || ${east} // ${unit} END`;
}
