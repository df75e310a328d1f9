import { allowedCountry } from "../countries/allowed-country.ts";
import type { CountryTable } from "../countries/country-rules.ts";
import type { Caller } from "../http/caller.ts";
import { type FieldError, invalidFields } from "../http/errors.ts";
import type { CustomerMap, MapEdit } from "./maps.ts";
import type { UpdateMapBody } from "./schemas.ts";

/**
 * Returns the fields of a map after an update. Throws `invalid_argument` for an empty update, a changed id or owner, and fields that do not
 * match the type.
 */
export function changeMap(map: CustomerMap, body: UpdateMapBody, caller: Caller, table: CountryTable): ReturnType<MapEdit> {
  const { id, owner, ...changes } = body;
  const type = body.type ?? map.type;
  const errors: FieldError[] = [];
  const report = (pointer: string, detail: string): number => errors.push({ pointer, detail });
  if (id !== undefined && id !== map.id) report("/id", "cannot be changed");
  if (owner !== undefined && owner !== map.owner) report("/owner", "cannot be changed");
  if (Object.keys(changes).length === 0)
    report("", "Nothing to change: send at least one of name, description, type, geometry, ids, country_code");
  if (type === "custom_polygon") {
    if (body.ids) report("/ids", "is allowed only with the standard types");
    if (body.country_code !== undefined) report("/country_code", "is allowed only with the standard types");
    if (body.geometry === undefined && map.geometry === null) report("/geometry", "is required when the type becomes custom_polygon");
  } else {
    if (body.geometry !== undefined) report("/geometry", "is allowed only with type custom_polygon");
    if (body.ids === undefined && type !== map.type) report("/ids", `is required when the type becomes ${type}`);
  }
  if (errors.length > 0) throw invalidFields(errors);
  const named = { name: body.name ?? map.name, description: body.description ?? map.description, type };
  if (type === "custom_polygon") return { ...named, geometry: body.geometry ?? map.geometry, ids: null, countryCode: null };
  const country = body.country_code ?? map.countryCode ?? undefined;
  const [countryCode] = allowedCountry(country, caller, table);
  return { ...named, geometry: null, ids: body.ids ?? map.ids, countryCode };
}
