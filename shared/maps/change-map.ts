import { allowedCountry } from "../countries/allowed-country.ts";
import type { CountryTable } from "../countries/country-rules.ts";
import type { Caller } from "../http/caller.ts";
import { type FieldError, invalidFields } from "../http/errors.ts";
import type { CustomerMap, MapEdit } from "./maps.ts";
import type { UpdateMapBody } from "./schemas.ts";

/**
 * A map with the fields of an update laid over it. Throws `invalid_argument` for an update of nothing, a changed id or owner, and fields
 * that do not go with the type.
 */
export function changeMap(map: CustomerMap, body: UpdateMapBody, caller: Caller, table: CountryTable): ReturnType<MapEdit> {
  const { id, owner, ...changes } = body;
  const type = body.type ?? map.type;
  const faults: FieldError[] = [];
  const fault = (pointer: string, detail: string): number => faults.push({ pointer, detail });
  if (id !== undefined && id !== map.id) fault("/id", "cannot be changed");
  if (owner !== undefined && owner !== map.owner) fault("/owner", "cannot be changed");
  if (Object.keys(changes).length === 0)
    fault("", "Nothing to change: send at least one of name, description, type, geometry, ids, country_code");
  if (type === "custom_polygon") {
    if (body.ids) fault("/ids", "goes with the standard types only");
    if (body.country_code !== undefined) fault("/country_code", "goes with the standard types only");
    if (body.geometry === undefined && map.geometry === null) fault("/geometry", "is required when the type becomes custom_polygon");
  } else {
    if (body.geometry !== undefined) fault("/geometry", "goes with type custom_polygon only");
    if (body.ids === undefined && type !== map.type) fault("/ids", `is required when the type becomes ${type}`);
  }
  if (faults.length > 0) throw invalidFields(faults);
  const named = { name: body.name ?? map.name, description: body.description ?? map.description, type };
  if (type === "custom_polygon") return { ...named, geometry: body.geometry ?? map.geometry, ids: null, countryCode: null };
  const country = body.country_code ?? map.countryCode ?? undefined;
  const [countryCode] = allowedCountry(country, caller, table);
  return { ...named, geometry: null, ids: body.ids ?? map.ids, countryCode };
}
