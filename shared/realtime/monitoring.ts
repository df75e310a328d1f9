import { openMonitoredMaps } from "../cloud/monitored-maps.ts";
import type { Config } from "../config.ts";
import { countries } from "../countries.ts";
import { openCustomerCountries } from "../stores/customers.ts";
import { openMapChanges } from "../stores/map-changes.ts";
import { openMaps } from "../stores/maps.ts";
import type { ChangeFinisher } from "./finish-change.ts";

/** What functions use that change what is measured. */
export function openMonitoring(config: Config) {
  return {
    maps: openMaps(config),
    changes: openMapChanges(config),
    countriesOf: openCustomerCountries(config),
    monitoredMaps: openMonitoredMaps(config),
  };
}

/** The finisher over what `openMonitoring` opened. */
export function finisherOf({ maps, ...uses }: ReturnType<typeof openMonitoring>, now: () => Date): ChangeFinisher {
  return { ...uses, getMap: maps.get, countries: countries(), now };
}
