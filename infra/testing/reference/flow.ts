import type { Expected } from "./activities.ts";
import { hourFrom, overlap, windowOf } from "./civil-days.ts";
import type { CountryRules } from "./countries.ts";
import type { FlowTables, RoadLink } from "./flow-tables.ts";
import { metresToLine, type Position } from "./road-distance.ts";
import { groupKey } from "./tables.ts";

/** A request for Flow, as a customer writes it. An omitted end is resolved to now. */
export interface FlowRequest {
  readonly agg_type: "flow";
  readonly country_code?: string;
  readonly lat: number;
  readonly lon: number;
  readonly start_time: string;
  readonly end_time: string;
}

/** The maximum distance of a link, in metres. */
const FARTHEST = 2000;

/** Returns links by their distance to a position. */
export function linksByDistance(position: Position, links: readonly RoadLink[]): { readonly link: RoadLink; readonly metres: number }[] {
  return links.map((link) => ({ link, metres: metresToLine(position, link.line) })).sort((a, b) => a.metres - b.metres);
}

/** Computes Flow from the documents alone. Undefined when no link is near enough, which is a 404. */
export function flowReference({ lat, lon, ...request }: FlowRequest, tables: FlowTables, rules: CountryRules): Expected | undefined {
  const [nearest] = linksByDistance([lon, lat], tables.links.get(rules.code) ?? []);
  if (!nearest || nearest.metres > FARTHEST) return undefined;
  const { link, metres } = nearest;
  const window = windowOf(request);
  const rows = tables.rows.get(groupKey(rules.code, String(link.linkId))) ?? [];
  const inside = rows.filter(({ timeBucket }) => overlap(hourFrom(timeBucket), window));
  const published = inside.toSorted((a, b) => a.timeBucket - b.timeBucket || a.direction - b.direction);
  const place = { link_id: link.linkId, link_name: link.name, link_type: link.roadClass, distance_m: metres };
  const counted = published.map(({ timeBucket, direction, people }) => ({
    ...place,
    time_bucket: new Date(timeBucket).toISOString(),
    direction,
    people,
  }));
  // The row of a window without any published flow, whether there was none or too few.
  const none = { ...place, time_bucket: null, direction: null, people: null };
  return { rows: published.length === 0 ? [none] : counted, unknown_ids: [] };
}
