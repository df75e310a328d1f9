import type { CountryCells } from "../countries/coverage-by-country.ts";
import { faultLocation } from "../geometry/fault-location.ts";
import { geodeticArea } from "../geometry/geodetic-area.ts";
import { parsePolygonInSlices } from "../geometry/wkt.ts";
import type { Caller } from "../http/caller.ts";
import { ServiceError } from "../http/errors.ts";
import { inSlices } from "../runtime/in-slices.ts";
import { checkPlace } from "./check-place.ts";
import { checkForeignCoverage, type ForeignCoverageContext } from "./foreign-coverage.ts";
import { countMonitored, TooManyCells } from "./monitored-cells.ts";

/** What a check of a map found. */
interface CheckedMap {
  /** Square kilometres, rounded to a square metre. */
  readonly area_km2: number | null;
  readonly cells: number | null;
  readonly countries: string[];
  readonly errors: { pointer: string; detail: string; ring?: number; point?: number }[];
}

/**
 * Checks a polygon (any text) as creating and monitoring its map would, and measures it. Cells are those of the caller's countries; null if
 * they are too many to be counted.
 */
export async function checkPolygon(geometry: string, caller: Caller, context: ForeignCoverageContext): Promise<CheckedMap> {
  const parsed = await inSlices(parsePolygonInSlices(geometry));
  if (!parsed.ok) {
    const { detail } = parsed;
    return { area_km2: null, cells: null, countries: [], errors: [{ pointer: "/geometry", detail, ...faultLocation(detail) }] };
  }
  const { countries } = context;
  const own = Object.fromEntries(Object.entries(countries).filter(([code]) => caller.countries.includes(code)));
  const errors = await errorsOf(() => checkPlace(parsed.polygon, caller, countries, "/geometry"));
  // Creating a map outside of the key's countries is refused before this is asked.
  if (errors.length === 0) errors.push(...(await errorsOf(() => checkForeignCoverage(parsed.polygon, caller, context))));
  let counts: readonly CountryCells[] | undefined;
  try {
    counts = await countMonitored(parsed.polygon, own);
  } catch (error) {
    if (!(error instanceof TooManyCells)) throw error;
    errors.push({ pointer: "/geometry", detail: error.message });
  }
  return {
    area_km2: Math.round(geodeticArea(parsed.polygon)) / 1e6,
    cells: counts?.reduce((sum, { cells }) => sum + cells, 0) ?? null,
    countries: counts?.map(({ country }) => country) ?? [],
    errors,
  };
}

/** Runs a check and returns the faults that it throws: of fields, or of the geometry of a polygon that the key may not use. */
export async function errorsOf(check: () => Promise<void> | void): Promise<{ pointer: string; detail: string }[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.errors.length > 0) return error.errors.map(({ pointer, detail }) => ({ pointer, detail }));
    if (error.code === "permission_denied") return [{ pointer: "/geometry", detail: error.message }];
    throw error;
  }
}
