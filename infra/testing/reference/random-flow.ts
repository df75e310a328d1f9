import type { Chance } from "./chance.ts";
import { windowOf } from "./civil-days.ts";
import { countryOf } from "./countries.ts";
import { type FlowRequest, linksByDistance } from "./flow.ts";
import type { FlowTables } from "./flow-tables.ts";
import { randomWindow } from "./random-windows.ts";
import { metresOfDegree, type Position } from "./road-distance.ts";
import { groupKey, loadedDays } from "./tables.ts";

/** Countries as written in requests. Undefined means the customer's default. */
const COUNTRIES = ["EST", "LAT", "NOR", undefined, "EE", "lv", "No"];
const DAY_MS = 86_400_000;
/** A window has at most 400 days, also one that ends now. */
const OPEN_MS_MAX = 399 * DAY_MS;
/** The maximum distance from a link, in metres. */
const ASIDE = [5, 50, 500, 2500, 2500, 40_000];

/** Draws a request over the sample data. The second member omits its end, where the country allows that. */
export function randomFlow(chance: Chance, tables: FlowTables, now: Date): { readonly request: FlowRequest; readonly isOpen: boolean } {
  const country_code = chance.pick(COUNTRIES);
  const named = country_code === undefined ? {} : { country_code };
  const rules = countryOf(named);
  const [lon, lat] = randomPosition(chance, tables, rules.code);
  const limits = { timeZone: rules.time_zone, hoursMax: 100, ...loadedDays(tables.versions, "flows_hourly", rules.code) };
  const request = { agg_type: "flow", ...named, lat, lon, ...randomWindow(chance, limits) } as const;
  // Days before now: whether the first 24 hours cover the window must not depend on the minute.
  const { start } = windowOf(request);
  const age = now.getTime() - start;
  const isOpen = chance.oneIn(3) && rules.flow.end_time_optional && age > 3 * DAY_MS && age < OPEN_MS_MAX;
  return { request: isOpen ? { ...request, end_time: now.toISOString() } : request, isOpen };
}

/** Draws a position near a link, in whole millionths of a degree, where a metre does not change which link is nearest. */
function randomPosition(chance: Chance, tables: FlowTables, country: string): Position {
  const links = tables.links.get(country) ?? [];
  // Sometimes a link without flows: there are few.
  const silent = links.filter(({ linkId }) => !tables.rows.has(groupKey(country, String(linkId))));
  for (;;) {
    const link = chance.pick(silent.length > 0 && chance.oneIn(6) ? silent : links);
    const [lon, lat] = chance.pick(link.line);
    const metres = chance.whole(0, chance.pick(ASIDE));
    const bearing = (chance.whole(0, 359) * Math.PI) / 180;
    const { east, north } = metresOfDegree(lat);
    const position = [rounded(lon + (metres * Math.sin(bearing)) / east), rounded(lat + (metres * Math.cos(bearing)) / north)] as const;
    const [nearest, next] = linksByDistance(position, links);
    if (nearest && next && next.metres - nearest.metres > 1 && Math.abs(nearest.metres - 2000) > 1) return position;
  }
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}
