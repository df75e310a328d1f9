import { openCustomerCountries } from "../accounts/customers.ts";
import { openMapChanges } from "../maps/map-outbox.ts";
import { openMaps } from "../maps/maps.ts";
import { countries } from "../products/countries.ts";
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

/** The context over what `openMonitoring` opened. */
export function mapChangeContext({ maps, ...uses }: ReturnType<typeof openMonitoring>, now: () => Date): MapChangeContext {
  return { ...uses, getMap: maps.get, countries: countries(), now };
}
