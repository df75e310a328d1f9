import type { BigQuery } from "@google-cloud/bigquery";

/** A geography as the warehouse stores it. */
interface Row {
  readonly type: "admin_level_4" | "grid_1000m";
  readonly id: number;
  readonly name: string;
  readonly lon: number;
  readonly lat: number;
  readonly geometry: string;
}

/** A country without sample data, and its middle. */
const COUNTRY = "LTU";
const MIDDLE = { lon: 23.9, lat: 55.2 } as const;
/** Degrees around the middle that are filled: a view of the map at zoom 7.5. */
const REACH = { lon: 1.3, lat: 0.65 } as const;
const VERTICES = 60;
const CELL = { lon: 0.0157, lat: 0.009 } as const;
/** The south-west corner of the cells' ids, metres. */
const CORNER = { easting: 5_200_000, northing: 3_600_000 } as const;
const ROWS_A_STATEMENT = 500;

/** Returns boundaries side by side, each with as many vertices as those of a municipality on a map. */
export function boundaries(count: number): Row[] {
  const columns = Math.ceil(Math.sqrt(count));
  const [width, height] = [(2 * REACH.lon) / columns, (2 * REACH.lat) / columns];
  return Array.from({ length: count }, (_, index) => {
    const lon = MIDDLE.lon - REACH.lon + ((index % columns) + 0.5) * width;
    const lat = MIDDLE.lat - REACH.lat + (Math.floor(index / columns) + 0.5) * height;
    const ring = Array.from({ length: VERTICES }, (_point, vertex) => {
      const angle = (2 * Math.PI * vertex) / VERTICES;
      const reach = 0.44 + 0.06 * Math.sin(7 * angle);
      return [lon + width * reach * Math.cos(angle), lat + height * reach * Math.sin(angle)] as const;
    });
    return { type: "admin_level_4", id: index + 1, name: `District ${index + 1}`, lon, lat, geometry: polygon(ring) };
  });
}

/** Returns a square of cells. */
export function cells(count: number): Row[] {
  const columns = Math.ceil(Math.sqrt(count));
  return cellIds(count).map((id, index) => {
    const west = MIDDLE.lon + (Math.floor(index / columns) - columns / 2) * CELL.lon;
    const south = MIDDLE.lat + ((index % columns) - columns / 2) * CELL.lat;
    const [east, north] = [west + CELL.lon, south + CELL.lat];
    const ring = [[west, south] as const, [east, south] as const, [east, north] as const, [west, north] as const];
    return {
      type: "grid_1000m",
      id,
      name: `Cell ${index + 1}`,
      lon: west + CELL.lon / 2,
      lat: south + CELL.lat / 2,
      geometry: polygon(ring),
    };
  });
}

/** The ids of the cells, ascending. */
export function cellIds(count: number): number[] {
  const columns = Math.ceil(Math.sqrt(count));
  return Array.from({ length: count }, (_, index) => {
    const [column, row] = [Math.floor(index / columns), index % columns];
    return (CORNER.easting + 1000 * column) * 10_000_000 + CORNER.northing + 1000 * row;
  });
}

/** Adds geographies to the warehouse. */
export async function insertGeographies(operator: BigQuery, rows: readonly Row[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
    const values = rows
      .slice(from, from + ROWS_A_STATEMENT)
      .map(({ type, id, name, lon, lat, geometry }) => `('${COUNTRY}', '${type}', ${id}, '${name}', ${lon}, ${lat}, '${geometry}')`);
    await operator.query(
      `INSERT INTO mobility.geographies (country_code, geo_type, geo_id, geo_name, lon, lat, geometry) VALUES ${values.join(", ")}`,
    );
  }
}

function polygon(ring: readonly (readonly [lon: number, lat: number])[]): string {
  const closed = [...ring, ...ring.slice(0, 1)];
  return `POLYGON((${closed.map(([lon, lat]) => `${lon.toFixed(6)} ${lat.toFixed(6)}`).join(", ")}))`;
}
