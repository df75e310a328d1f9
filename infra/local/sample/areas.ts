import type { Point } from "../../../shared/geometry/polygon.ts";
import { project } from "../../../shared/geometry/projection.ts";
import type { Town } from "./cells.ts";
import type { Area } from "./map/country-map.ts";

/** A row of `sample_areas`. */
interface AreaRow {
  readonly country: string;
  /** The number of the town. */
  readonly city: number;
  readonly geo_type: string;
  readonly geo_id: number;
  readonly geo_name: string;
  readonly parent_id: number | null;
  readonly lon: number;
  readonly lat: number;
  readonly east: number;
  readonly north: number;
  readonly geometry: string;
}

/** Returns the rows of the areas around towns: the centroid of the largest part, in degrees and in metres, and the boundary as WKT. */
export function areaRows(towns: readonly Town[]): AreaRow[] {
  return towns.flatMap(({ number, map, place }) =>
    map.areas
      .filter(({ code, parent }) => (parent ?? code) === place.code)
      .map((area) => {
        const [lon, lat] = centroidOf(area);
        const { easting, northing } = project(map.country.crs, [lon, lat]);
        return {
          ...{ country: map.country.code, city: number, geo_type: area.geoType, geo_id: area.code },
          ...{ geo_name: area.name, parent_id: area.parent ?? null, lon, lat },
          ...{ east: Math.round(easting), north: Math.round(northing), geometry: wktOf(area) },
        };
      }),
  );
}

function wktOf({ polygons }: Area): string {
  const texts = polygons.map((rings) => `(${rings.map((ring) => `(${ring.map(([lon, lat]) => `${lon} ${lat}`).join(", ")})`).join(", ")})`);
  return texts.length === 1 ? `POLYGON${texts[0]}` : `MULTIPOLYGON(${texts.join(", ")})`;
}

/** Returns the centroid of an area's largest part, to 1e-6 degrees. */
function centroidOf({ polygons }: Area): [lon: number, lat: number] {
  const parts = polygons.map(([shell = []]) => momentsOf(shell));
  const largest = parts.reduce((most, part) => (part.area > most.area ? part : most));
  return [Number(largest.lon.toFixed(6)), Number(largest.lat.toFixed(6))];
}

/** Returns the area and the centroid of a closed ring. Relative to its first point for precision. */
function momentsOf(ring: readonly Point[]): { area: number; lon: number; lat: number } {
  const [lon0, lat0] = ring[0] ?? [0, 0];
  let [twice, x, y] = [0, 0, 0];
  for (let index = 1; index < ring.length; index++) {
    const [ax, ay] = [(ring[index - 1]?.[0] ?? 0) - lon0, (ring[index - 1]?.[1] ?? 0) - lat0];
    const [bx, by] = [(ring[index]?.[0] ?? 0) - lon0, (ring[index]?.[1] ?? 0) - lat0];
    const cross = ax * by - bx * ay;
    twice += cross;
    x += (ax + bx) * cross;
    y += (ay + by) * cross;
  }
  return { area: Math.abs(twice), lon: lon0 + x / (3 * twice), lat: lat0 + y / (3 * twice) };
}
