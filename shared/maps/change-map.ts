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
  const type = body.type ?? map.type;
  const place = type === "custom_polygon" ? polygonErrors(map, body) : standardErrors(map, body, type);
  const errors = [...fieldErrors(map, body), ...place];
  if (errors.length > 0) throw invalidFields(errors);
  const named = { name: body.name ?? map.name, description: body.description ?? map.description, type };
  if (type === "custom_polygon") return { ...named, geometry: body.geometry ?? map.geometry, ids: null, countryCode: null };
  const country = body.country_code ?? map.countryCode ?? undefined;
  const [countryCode] = allowedCountry(country, caller, table);
  return { ...named, geometry: null, ids: body.ids ?? map.ids, countryCode };
}

function* fieldErrors(map: CustomerMap, { id, owner, ...changes }: UpdateMapBody): Generator<FieldError> {
  if (id !== undefined && id !== map.id) yield { pointer: "/id", detail: "cannot be changed" };
  if (owner !== undefined && owner !== map.owner) yield { pointer: "/owner", detail: "cannot be changed" };
  if (Object.keys(changes).length > 0) return;
  yield { pointer: "", detail: "Nothing to change: send at least one of name, description, type, geometry, ids, country_code" };
}

/** What is wrong with the place of a map that is or becomes a custom polygon. */
function* polygonErrors(map: CustomerMap, { ids, country_code, geometry }: UpdateMapBody): Generator<FieldError> {
  const detail = "is allowed only with the standard types";
  if (ids) yield { pointer: "/ids", detail };
  if (country_code !== undefined) yield { pointer: "/country_code", detail };
  if (geometry !== undefined || map.geometry !== null) return;
  yield { pointer: "/geometry", detail: "is required when the type becomes custom_polygon" };
}

/** What is wrong with the place of a map that is or becomes one of a standard type. */
function* standardErrors(map: CustomerMap, { ids, geometry }: UpdateMapBody, type: CustomerMap["type"]): Generator<FieldError> {
  if (geometry !== undefined) yield { pointer: "/geometry", detail: "is allowed only with type custom_polygon" };
  if (ids === undefined && type !== map.type) yield { pointer: "/ids", detail: `is required when the type becomes ${type}` };
}
