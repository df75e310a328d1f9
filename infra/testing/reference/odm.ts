import type { Expected } from "./activities.ts";
import { civilDay, overlap, windowOf } from "./civil-days.ts";
import type { CountryRules } from "./countries.ts";
import { idFilter, type RequestedIds, unknownIds } from "./ids.ts";
import type { OdmTableRow, OdmTables } from "./odm-tables.ts";
import { groupKey } from "./tables.ts";

/** A request for the Origin-Destination Matrix, as a customer writes it. */
export interface OdmRequest {
  readonly agg_type: "odm";
  readonly country_code?: string;
  readonly measure: string;
  readonly activity_type?: "hourly" | "daily";
  readonly origin_geo_type: string;
  readonly destination_geo_type: string;
  readonly origin_geo_ids?: RequestedIds;
  readonly destination_geo_ids?: RequestedIds;
  readonly start_time: string;
  readonly end_time: string;
}

const NOTHING: ReadonlyMap<number, string> = new Map();

/** Computes the matrix from the documents alone: one row per pair and civil day, for any `activity_type`. */
export function odmReference(request: OdmRequest, tables: OdmTables, rules: CountryRules): Expected {
  const { origin_geo_type: origin, destination_geo_type: destination } = request;
  const isOrigin = idFilter(request.origin_geo_ids);
  const isDestination = idFilter(request.destination_geo_ids);
  const window = windowOf(request);
  const inside = (tables.rows.get(groupKey(rules.code, origin, destination)) ?? []).filter(
    (row) => isOrigin(row.originGeoId) && isDestination(row.destinationGeoId) && overlap(civilDay(rules.time_zone, row.batchDate), window),
  );
  return {
    rows: inside.toSorted(byDayAndPair).map((row) => rowOf(row, rules)),
    unknown_ids: unknownIds(
      [request.origin_geo_ids, tables.names.get(groupKey(rules.code, origin)) ?? NOTHING],
      [request.destination_geo_ids, tables.names.get(groupKey(rules.code, destination)) ?? NOTHING],
    ),
  };
}

/** Returns what a preview shows of a day's rows: the largest first, ties by origin and destination, at most 5,000. */
export function largestFirst({ rows, ...rest }: Expected): Expected {
  const trips = (row: Readonly<Record<string, unknown>>) => Number(row.trips);
  return { ...rest, rows: rows.toSorted((a, b) => trips(b) - trips(a)).slice(0, 5000) };
}

function byDayAndPair(a: OdmTableRow, b: OdmTableRow): number {
  if (a.batchDate !== b.batchDate) return a.batchDate < b.batchDate ? -1 : 1;
  return a.originGeoId - b.originGeoId || a.destinationGeoId - b.destinationGeoId;
}

/** Returns distance and speed. They are absent where the country does not model them or they are unknown. */
function rowOf(row: OdmTableRow, { odm }: CountryRules): Record<string, unknown> {
  const { distanceMetres, speedKmh } = row;
  return {
    batch_date: row.batchDate,
    origin_geo_id: row.originGeoId,
    destination_geo_id: row.destinationGeoId,
    ...(odm.distance !== "none" && distanceMetres !== null ? { General_Distance: distanceMetres } : {}),
    ...(odm.speed && speedKmh !== null ? { Average_Speed: speedKmh } : {}),
    trips: row.trips,
  };
}
