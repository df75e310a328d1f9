import type { CountryTable } from "../countries/country-rules.ts";
import { placeOfPolygon } from "../countries/extents.ts";
import type { Polygon } from "../geometry/polygon.ts";
import type { Caller } from "../http/caller.ts";
import { invalidFields } from "../http/errors.ts";

/** Throws `invalid_argument` at `pointer` for a valid polygon that lies in none of the countries that the key covers. */
export function checkPlace(polygon: Polygon, { countries }: Pick<Caller, "countries">, table: CountryTable, pointer: string): void {
  const place = placeOfPolygon(
    polygon,
    countries.flatMap((code) => table[code] ?? []),
  );
  if (place === "inside") return;
  const [lon, lat] = polygon.rings[0]?.[0] ?? [0, 0];
  const where = `lies outside the countries of this key (${countries.join(", ") || "none"})`;
  const hint = place === "swapped" ? `; did you swap longitude and latitude? Longitude comes first: ${lat} ${lon}, not ${lon} ${lat}` : "";
  throw invalidFields([{ pointer, detail: `${where}${hint}` }]);
}
