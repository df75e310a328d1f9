import type { CountryTable } from "../countries/country-rules.ts";
import { coverCountries } from "../countries/coverage-by-country.ts";
import { faultLocation } from "../geometry/fault-location.ts";
import { geodeticArea } from "../geometry/geodetic-area.ts";
import { parsePolygon } from "../geometry/wkt.ts";
import type { Caller } from "../http/caller.ts";
import { ServiceError } from "../http/errors.ts";
import { checkPlace } from "./check-place.ts";
import { tooManyCells } from "./monitored-cells.ts";

/** What a check of a map found. */
interface CheckedMap {
  /** Square kilometres, rounded to a square metre. */
  readonly area_km2: number | null;
  readonly cells: number | null;
  readonly countries: string[];
  readonly errors: { pointer: string; detail: string; ring?: number; point?: number }[];
}

/** Checks a polygon (any text) as creating and monitoring its map would, and measures it. Cells are those of the caller's countries. */
export async function checkPolygon(geometry: string, caller: Pick<Caller, "countries">, table: CountryTable): Promise<CheckedMap> {
  const parsed = parsePolygon(geometry);
  if (!parsed.ok) {
    const { detail } = parsed;
    return { area_km2: null, cells: null, countries: [], errors: [{ pointer: "/geometry", detail, ...faultLocation(detail) }] };
  }
  const own = Object.fromEntries(Object.entries(table).filter(([code]) => caller.countries.includes(code)));
  const coverages = coverCountries(parsed.polygon, own);
  const cells = coverages.reduce((sum, coverage) => sum + coverage.cells.length, 0);
  const errors = await errorsOf(() => checkPlace(geometry, caller, table, "/geometry"));
  const tooMany = tooManyCells(cells);
  if (tooMany !== undefined) errors.push({ pointer: "/geometry", detail: tooMany });
  return {
    area_km2: Math.round(geodeticArea(parsed.polygon)) / 1e6,
    cells,
    countries: coverages.map(({ country }) => country),
    errors,
  };
}

/** Runs a check and returns the field errors that it throws. */
export async function errorsOf(check: () => Promise<void> | void): Promise<{ pointer: string; detail: string }[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof ServiceError && error.errors.length > 0) return error.errors.map(({ pointer, detail }) => ({ pointer, detail }));
    throw error;
  }
}
