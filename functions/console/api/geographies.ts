import * as v from "valibot";
import { call } from "./client.ts";
import { type Box, Geometry } from "./geometry.ts";

const Feature = v.object({
  id: v.number(),
  properties: v.object({ geo_id: v.number(), geo_name: v.string(), lon: v.number(), lat: v.number() }),
  geometry: v.nullable(Geometry),
});
const Features = v.object({ features: v.array(Feature), next_cursor: v.nullable(v.string()) });

/** A geography of a standard type. */
export interface Geography {
  readonly id: number;
  readonly name: string;
  readonly lon: number;
  readonly lat: number;
  readonly geometry: Geometry;
}

interface Wanted {
  readonly country: string;
  readonly geoType: string;
  readonly box?: Box;
  readonly name?: string;
  /** At most IDS_MAX: more are left out. */
  readonly ids?: readonly number[];
  readonly signal?: AbortSignal;
}

const PAGE = 1000;
/** How many ids the service takes in a request. */
export const IDS_MAX = 500;

/**
 * Finds geographies, page after page.
 * @param max stops after so many
 * @param onPage called with each page as it comes, so that a map can draw it
 */
export async function findGeographies(wanted: Wanted, max = Infinity, onPage?: (page: readonly Geography[]) => void): Promise<Geography[]> {
  const { country, geoType, box, name, ids, signal } = wanted;
  const found: Geography[] = [];
  const query = {
    country_code: country,
    geo_type: geoType,
    format: "geojson",
    limit: Math.min(PAGE, max),
    q: name,
    bbox: box?.map((side) => side.toFixed(5)).join(","),
    ids: ids?.slice(0, IDS_MAX).join(","),
  };
  let cursor: string | undefined;
  do {
    const { features, next_cursor } = await call("data", "/geographies", Features, {
      query: { ...query, cursor },
      ...(signal === undefined ? {} : { signal }),
    });
    const page = features.flatMap(({ properties, geometry }) =>
      geometry === null ? [] : { id: properties.geo_id, name: properties.geo_name, lon: properties.lon, lat: properties.lat, geometry },
    );
    onPage?.(page);
    found.push(...page);
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined && found.length < max);
  return found;
}

const whole = new Map<string, Promise<readonly Geography[]>>();

/** Returns all geographies of a type in a country, from memory if they were read before. For administrative areas: cells are too many. */
export function allGeographies(country: string, geoType: string): Promise<readonly Geography[]> {
  const key = `${country} ${geoType}`;
  const known = whole.get(key);
  if (known) return known;
  const reading = findGeographies({ country, geoType });
  whole.set(key, reading);
  reading.catch(() => whole.delete(key));
  return reading;
}
