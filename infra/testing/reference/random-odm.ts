import type { Chance } from "./chance.ts";
import { countryOf } from "./countries.ts";
import type { OdmRequest } from "./odm.ts";
import type { OdmTables } from "./odm-tables.ts";
import { randomIds } from "./random-ids.ts";
import { randomWindow } from "./random-windows.ts";
import { groupKey, loadedDays } from "./tables.ts";

/** Countries as written in requests. Undefined means the customer's default, EST, which has only one pair of types. */
const COUNTRIES = ["EST", "LAT", "LAT", "NOR", "NOR", undefined, "Ee", "lv", "NO"];
/** The measure only names the export's folder. */
const MEASURES = ["trips", "general_distance", "x"];

/** Draws a request over the sample data. */
export function randomOdm(chance: Chance, tables: OdmTables): OdmRequest {
  const country_code = chance.pick(COUNTRIES);
  const named = country_code === undefined ? {} : { country_code };
  const rules = countryOf(named);
  const types = chance.oneIn(8)
    ? { origin: chance.pick(rules.odm.geo_types), destination: chance.pick(rules.odm.geo_types) }
    : loadedTypes(chance, tables, rules.code);
  const rows = tables.rows.get(groupKey(rules.code, types.origin, types.destination)) ?? [];
  const isFine = types.origin.startsWith("grid");
  const ids = { origins: chance.oneIn(2), destinations: chance.oneIn(3) };
  const hoursMax = ids.origins || ids.destinations || !isFine ? 100 : 5;
  const limits = { timeZone: rules.time_zone, hoursMax, ...loadedDays(tables.versions, "odm_daily", rules.code) };
  // From existing pairs: two lists drawn from thousands of ids would share no pair.
  const pairs = rows.length === 0 ? [] : chance.picks(rows, 40);
  const origins = pairs.length === 0 ? [1, 2] : pairs.map(({ originGeoId }) => originGeoId);
  const destinations = pairs.length === 0 ? [3] : pairs.map(({ destinationGeoId }) => destinationGeoId);
  return {
    agg_type: "odm",
    ...named,
    measure: chance.pick(MEASURES),
    ...chance.pick([{}, { activity_type: "daily" }, { activity_type: "hourly" }] as const),
    origin_geo_type: types.origin,
    destination_geo_type: types.destination,
    ...(ids.origins ? { origin_geo_ids: randomIds(chance, origins, 60) } : {}),
    ...(ids.destinations ? { destination_geo_ids: randomIds(chance, destinations, 60) } : {}),
    ...randomWindow(chance, limits),
  };
}

/** Draws a request of a preview: all pairs of one geography, which is an origin or a destination. */
export function randomOdmPreview(chance: Chance, tables: OdmTables): OdmRequest {
  const { origin_geo_ids: _origins, destination_geo_ids: _destinations, ...request } = randomOdm(chance, tables);
  const rows = tables.rows.get(groupKey(countryOf(request).code, request.origin_geo_type, request.destination_geo_type)) ?? [];
  const pair = rows.length === 0 || chance.oneIn(10) ? { originGeoId: 7, destinationGeoId: 99 } : chance.pick(rows);
  const isOrigin = chance.oneIn(2);
  return { ...request, ...(isOrigin ? { origin_geo_ids: [pair.originGeoId] } : { destination_geo_ids: [pair.destinationGeoId] }) };
}

/** Draws a pair of types that has rows. */
function loadedTypes(chance: Chance, tables: OdmTables, country: string): { readonly origin: string; readonly destination: string } {
  const keys = [...tables.rows.keys()].filter((key) => key.startsWith(groupKey(country, ""))).sort();
  const [, origin = "", destination = ""] = chance.pick(keys).split(" ");
  return { origin, destination };
}
