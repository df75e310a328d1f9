import { constants, double, uniform } from "./literals.ts";
import { withLonLat } from "./projection.ts";
import { SAMPLE_COUNTRIES } from "./rules.ts";
import { streetPaths } from "./street-paths.ts";

/** Width of the corridor that counts as a link's area, metres. */
const CORRIDOR = 20;
const COLUMNS = [
  ...["country", "city", "street", "name", "class", "path_east", "path_north", "along_east", "along_north"],
  ...["radius", "links", "link_length", "inward", "bent"],
];

/**
 * Returns a query for the links of streets before they have a shape: country, city, link_id, name, class, the path of the street, `start`
 * (metres along it), link_length and `inward` (thousandths, how much direction 1 leads into the town).
 */
export function linksQuery(scale: number): string {
  const rows = streetPaths(scale).map((path) => [
    ...[path.town.map.country.code, path.town.number, path.street, path.name, path.roadClass],
    ...[path.east, path.north, path.alongEast, path.alongNorth, path.radius].map((value) => ({ double: value })),
    ...[path.links, { double: path.linkLength }, path.inward, path.bent],
  ]);
  const path = "path_east, path_north, along_east, along_north, radius, link_length, inward, bent";
  return `SELECT country, city, 400000000 + city * 100000 + street * 1000 + number AS link_id, name, class, ${path}, number * link_length AS start
    FROM (SELECT *, unnest(range(links)) AS number FROM ${constants("street", COLUMNS, rows)})`;
}

/**
 * Returns a query over `sample_link_paths` (the query above) for the links whose middle is on land (`sample_land`), with lon, lat, east, north (the
 * middle) and geometry.
 */
export function shapesQuery(): string {
  const middle = (column: string): string => `max(${column}) FILTER (step = 4) AS ${column}`;
  const shapes = [...Map.groupBy(SAMPLE_COUNTRIES, ({ crs }) => crs)].map(([crs, countries]) => {
    const vertices = withLonLat(`(${pointsQuery(8)} WHERE country IN (${countries.map(({ code }) => `'${code}'`).join(", ")}))`, crs);
    return `SELECT country, city, link_id, name, class, inward, ${["lon", "lat", "east", "north"].map(middle).join(", ")},
      concat('LINESTRING(', string_agg(lon || ' ' || lat, ', ' ORDER BY step), ')') AS geometry
    FROM (${vertices}) GROUP BY country, city, link_id, name, class, inward`;
  });
  return `SELECT * FROM (${shapes.join(" UNION ALL ")}) AS shapes
  SEMI JOIN sample_land AS land ON land.country = shapes.country AND land.northing = (floor(shapes.north / 250) * 250)::INTEGER
    AND shapes.east BETWEEN land.first AND land.last + 250`;
}

/**
 * Returns a query over `sample_link_paths` and `sample_cells` for the 250 m cells of a country's links (link_id, cell_id) and the share of
 * the cell that the link's corridor covers.
 */
export function linkCellsQuery(country: string): string {
  return `SELECT link_id, cell_id, count(*) * any_value(link_length) * ${double(CORRIDOR / 62500 / 41)} AS weight
  FROM (${pointsQuery(40)} WHERE country = '${country}') AS points JOIN sample_cells AS cells ON ${IN_CELL("points")}
  GROUP BY link_id, cell_id`;
}

const IN_CELL = (point: string): string =>
  `cells.country = ${point}.country AND cells.east = (floor(${point}.east / 250) * 250)::INTEGER AND cells.north = (floor(${point}.north / 250) * 250)::INTEGER`;

function pointsQuery(steps: number): string {
  // A bend is a half-wave beside the straight line, 25 m at most, so that links still meet at their ends.
  const aside = `CASE WHEN bent THEN (${uniform(0, "link_id")} - ${double(0.5)}) * 50 * sin(${double(Math.PI / steps)} * step) ELSE 0 END`;
  return `SELECT * FROM (
    SELECT *, CASE WHEN radius > 0 THEN path_east + radius * sin(along / radius) ELSE path_east + along_east * along + along_north * aside END AS east,
      CASE WHEN radius > 0 THEN path_north + radius * cos(along / radius) ELSE path_north + along_north * along - along_east * aside END AS north
    FROM (SELECT *, start + link_length * step / ${steps} AS along, ${aside} AS aside FROM (SELECT *, unnest(range(${steps + 1})) AS step FROM sample_link_paths)))`;
}
