import { openCustomerCountries } from "../accounts/customers.ts";
import type { CountryTable } from "../countries/country-rules.ts";
import { openMapChanges } from "../maps/map-outbox.ts";
import { openMaps } from "../maps/maps.ts";
import type { Config } from "../runtime/config.ts";
import type { MapChangeContext } from "./deliver-map-change.ts";
import { openMonitoredMaps } from "./monitored-maps-table.ts";
import { snapshotRows } from "./snapshots.ts";

/** What functions use that change what is measured. */
export function openMonitoring(config: Config) {
  return {
    maps: openMaps(config, snapshotRows),
    changes: openMapChanges(config),
    countriesOf: openCustomerCountries(config),
    monitoredMaps: openMonitoredMaps(config),
  };
}

/** What delivering a map change needs, over what `openMonitoring` opened and the country rules of the deployment. */
export function mapChangeContext(
  { maps, ...dependencies }: ReturnType<typeof openMonitoring>,
  countries: CountryTable,
  now: () => Date,
): MapChangeContext {
  return { ...dependencies, getMap: maps.get, countries, now };
}
