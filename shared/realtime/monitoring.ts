import { openCustomerCountries } from "../accounts/customers.ts";
import type { CountryTable } from "../countries/country-rules.ts";
import { openMapChanges } from "../maps/map-outbox.ts";
import { openMaps } from "../maps/maps.ts";
import type { Config } from "../runtime/config.ts";
import type { MapChangeContext } from "./deliver-map-change.ts";
import { openMapCells } from "./map-cells-table.ts";
import { openMonitoredMaps } from "./monitored-maps-table.ts";
import { snapshotRows } from "./snapshots.ts";

/** Opens the stores for a function that ends what is monitored. */
export function openMapEnds(config: Config) {
  return { maps: openMaps(config, snapshotRows), changes: openMapChanges(config), monitoredMaps: openMonitoredMaps(config) };
}

/** Opens the stores for functions that change what is monitored. */
export function openMonitoring(config: Config) {
  return { ...openMapEnds(config), countriesOf: openCustomerCountries(config), mapCells: openMapCells(config) };
}

/** Returns the context for delivering map changes, from the stores of `openMonitoring` and the deployment's country rules. */
export function mapChangeContext(
  { maps, ...dependencies }: ReturnType<typeof openMonitoring>,
  countries: CountryTable,
  now: () => Date,
): MapChangeContext {
  return { ...dependencies, getMap: maps.get, countries, now };
}
