import { activities } from "../../../shared/products/activities.ts";
import type { ActivitiesRequest } from "./activities.ts";
import type { ActivityTables } from "./activity-tables.ts";
import type { Chance } from "./chance.ts";
import { countryOf } from "./countries.ts";
import { randomIds } from "./random-ids.ts";
import { randomWindow } from "./random-windows.ts";
import { groupKey, loadedDays } from "./tables.ts";

/** The measures of the interface. */
export const { measures: ACTIVITY_MEASURES } = activities.product;
export const ACTIVITY_TYPES = ["hourly", "daily"] as const;
/** Countries as written in requests. Undefined means the customer's default. */
const COUNTRIES = ["EST", "LAT", "NOR", undefined, "ee", "LV", "nor"];

interface Options {
  /** Whether the request must name ids, as a GET does. */
  readonly mustNameIds: boolean;
}

/** The middle of a large town of each country of the sample. */
const TOWNS: Readonly<Record<string, readonly [lon: number, lat: number]>> = {
  EST: [24.75, 59.43],
  LAT: [24.11, 56.95],
  NOR: [10.75, 59.91],
};

/** Draws a box around a town of a country, as a parameter; sometimes at sea. */
export function randomBox(chance: Chance, country: string): string {
  const [lon, lat] = (chance.oneIn(8) ? undefined : TOWNS[country]) ?? [20, 58.5];
  const [width, height] = [chance.whole(1, 300) / 1000, chance.whole(1, 200) / 1000];
  return [lon - width, lat - height / 2, lon + width / 3, lat + height].map((side) => side.toFixed(6)).join(",");
}

/** Draws a request over the sample data. */
export function randomActivities(chance: Chance, tables: ActivityTables, { mustNameIds }: Options): ActivitiesRequest {
  const country_code = chance.pick(COUNTRIES);
  const named = country_code === undefined ? {} : { country_code };
  const rules = countryOf(named);
  const geo_type = chance.pick(rules.activities.geo_types);
  const group = groupKey(rules.code, geo_type);
  const areNamed = mustNameIds || chance.oneIn(2);
  const hoursMax = areNamed || geo_type.startsWith("admin") ? 100 : 5;
  const limits = { timeZone: rules.time_zone, hoursMax, ...loadedDays(tables.versions, "activities_hourly", rules.code) };
  return {
    agg_type: "activities",
    ...named,
    measure: chance.pick(ACTIVITY_MEASURES),
    activity_type: chance.pick(ACTIVITY_TYPES),
    geo_type,
    ...(areNamed ? { geo_ids: randomIds(chance, [...(tables.names.get(group)?.keys() ?? [])], 25) } : {}),
    ...randomWindow(chance, limits),
  };
}
