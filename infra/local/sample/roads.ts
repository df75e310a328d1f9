import type { DuckDBConnection } from "@duckdb/node-api";
import type { Point } from "../../../shared/geometry/polygon.ts";
import { project } from "../../../shared/geometry/projection.ts";
import { type SampleSize, sampleCells, townsAt } from "./cells.ts";
import { countryMaps, type Road } from "./map/country-map.ts";
import { makeTable } from "./tables.ts";

/** Links of roads between places are about this long, metres. */
const LINK = 40_000;
/** The vertices of links are at most this far apart, metres. */
const VERTEX = 1500;
/** Road links count the devices of the cells within this width, metres. */
const CORRIDOR = 20;
/** Distance of the positions at which the cells of a link are looked up, metres. */
const STEP = 125;
const FIRST_ID = 500_000_000;

/** A link of a road between places. */
interface RoadLink {
  readonly country: string;
  /** The number of the town at whose end of the road it is. */
  readonly city: number;
  readonly link_id: number;
  readonly name: string;
  readonly class: string;
  /** How much busier one direction is at rush hour, thousandths. */
  readonly inward: number;
  readonly lon: number;
  readonly lat: number;
  readonly east: number;
  readonly north: number;
  readonly geometry: string;
}

/**
 * Adds the links of the roads between places to `sample_links`, and makes `sample_road_cells` of the inhabited 250 m cells on them: country,
 * link_id, cell_id and the share of the cell that the road covers.
 * @param withCells the countries whose links are geographies
 */
export async function addRoads(connection: DuckDBConnection, size: SampleSize, withCells: readonly string[]): Promise<void> {
  const links = roadLinks();
  const inhabited = new Set(sampleCells(size).map(({ country, east, north }) => `${country} ${east} ${north}`));
  const columns =
    "country VARCHAR, city INTEGER, link_id BIGINT, name VARCHAR, class VARCHAR, inward INTEGER, lon DOUBLE, lat DOUBLE, east DOUBLE, north DOUBLE, geometry VARCHAR";
  const rows = links.map(({ link }) => link);
  await makeTable(connection, "sample_roads", columns, rows);
  await connection.run("INSERT INTO sample_links BY NAME SELECT * FROM sample_roads");
  await connection.run("DROP TABLE sample_roads");
  await makeTable(
    connection,
    "sample_road_steps",
    "country VARCHAR, link_id BIGINT, east INTEGER, north INTEGER",
    links.flatMap((link) => (withCells.includes(link.link.country) ? [...stepsOf(link, inhabited)] : [])),
  );
  await connection.run(`CREATE OR REPLACE TEMP TABLE sample_road_cells AS
    SELECT country, link_id, cell_id, least(1, count(*) * ${CORRIDOR * STEP} / 62500.0)::DOUBLE AS weight
    FROM sample_road_steps JOIN sample_cells USING (country, east, north) GROUP BY ALL`);
  await connection.run("DROP TABLE sample_road_steps");
}

interface DrawnLink {
  readonly link: RoadLink;
  /** The line in metres of the country's grid. */
  readonly metres: readonly { readonly easting: number; readonly northing: number }[];
}

function roadLinks(): DrawnLink[] {
  const towns = new Map(townsAt(1).map(({ number, map, place }) => [`${map.country.code} ${place.name}`, number]));
  let road = 0;
  return countryMaps().flatMap(({ country, roads }) =>
    roads.flatMap(({ name, roadClass, line }) => {
      road += 1;
      const ends = name.split("–").map((end) => towns.get(`${country.code} ${end}`) ?? 0);
      const parts = cut(line, (point) => project(country.crs, point));
      return parts.map(({ points, metres }, index): DrawnLink => {
        const middle = Math.floor(points.length / 2);
        const [lon, lat] = points[middle] ?? [0, 0];
        const { easting, northing } = metres[middle] ?? { easting: 0, northing: 0 };
        const link = {
          ...{ country: country.code, city: ends[index < parts.length / 2 ? 0 : 1] ?? 0, link_id: FIRST_ID + road * 1000 + index },
          ...{ name, class: roadClass, inward: 150, lon, lat, east: easting, north: northing },
          geometry: `LINESTRING(${points.map((point) => point.join(" ")).join(", ")})`,
        };
        return { link, metres };
      });
    }),
  );
}

type Project = (point: Point) => { readonly easting: number; readonly northing: number };

/** Returns a road's line in parts of about `LINK` that meet at their ends. */
function cut(line: Road["line"], toMetres: Project): { points: Point[]; metres: ReturnType<Project>[] }[] {
  const dense = line.flatMap((point, index) => {
    const before = line[index - 1];
    return before ? steps(before, point, distance(toMetres(before), toMetres(point))) : [point];
  });
  const metres = dense.map(toMetres);
  const along = metres.map(() => 0);
  for (let index = 1; index < metres.length; index++) along[index] = (along[index - 1] ?? 0) + distance(metres[index - 1], metres[index]);
  const parts = Math.max(1, Math.round((along.at(-1) ?? 0) / LINK));
  const length = (along.at(-1) ?? 0) / parts;
  const ends = Array.from({ length: parts + 1 }, (_, part) =>
    part === parts ? dense.length - 1 : along.findIndex((at) => at >= part * length),
  );
  return ends
    .slice(1)
    .map((end, part) => ({ points: dense.slice(ends[part], end + 1), metres: metres.slice(ends[part], end + 1) }))
    .filter(({ points }) => points.length > 1);
}

/** Returns positions from one to another, without the first, at most `VERTEX` apart: an edge is then the same on a plane and as a geodesic. */
function steps([ax, ay]: Point, [bx, by]: Point, metres: number): Point[] {
  const count = Math.max(1, Math.ceil(metres / VERTEX));
  const between = (a: number, b: number, step: number): number => Number((a + ((b - a) * step) / count).toFixed(6));
  return Array.from({ length: count }, (_, step) => [between(ax, bx, step + 1), between(ay, by, step + 1)] as const);
}

function distance(a: ReturnType<Project> | undefined, b: ReturnType<Project> | undefined): number {
  return a && b ? Math.hypot(a.easting - b.easting, a.northing - b.northing) : 0;
}

/** Returns the inhabited cells along a link, one for each step. */
function* stepsOf({ link: { country, link_id }, metres }: DrawnLink, inhabited: ReadonlySet<string>) {
  const cell = (metre: number): number => Math.floor(metre / 250) * 250;
  for (let index = 1; index < metres.length; index++) {
    const [a, b] = [metres[index - 1], metres[index]];
    if (!a || !b) continue;
    const steps = Math.max(1, Math.round(distance(a, b) / STEP));
    for (let step = 0; step < steps; step++) {
      const share = (step + 0.5) / steps;
      const [east, north] = [cell(a.easting + share * (b.easting - a.easting)), cell(a.northing + share * (b.northing - a.northing))];
      if (inhabited.has(`${country} ${east} ${north}`)) yield { country, link_id, east, north };
    }
  }
}
