import * as v from "valibot";
import { call, callTagged } from "./client.ts";

const MapFields = {
  id: v.string(),
  name: v.string(),
  description: v.string(),
  type: v.string(),
  geometry: v.optional(v.string()),
  ids: v.optional(v.array(v.number())),
  country_code: v.optional(v.string()),
  owner: v.string(),
  is_monitored: v.boolean(),
};
const AdminMap = v.object(MapFields);

/** A map of the customer: a polygon as WKT, or the ids of standard geographies. */
export type AdminMap = v.InferOutput<typeof AdminMap>;

/** What is sent to save or check a map. */
export interface MapInput {
  readonly name?: string;
  readonly description?: string;
  readonly type?: string;
  readonly geometry?: string;
  readonly ids?: readonly number[];
  readonly country_code?: string;
}

const MapFault = v.object({
  pointer: v.string(),
  detail: v.string(),
  ring: v.optional(v.number()),
  point: v.optional(v.number()),
});

const CheckedMap = v.object({
  area_km2: v.nullable(v.number()),
  cells: v.nullable(v.number()),
  countries: v.array(v.string()),
  errors: v.array(MapFault),
});

export type CheckedMap = v.InferOutput<typeof CheckedMap>;

const PAGE = 200;

/** All maps of the customer, newest first. */
export async function listMaps(): Promise<AdminMap[]> {
  const Page = v.object({ maps: v.array(AdminMap), next_cursor: v.optional(v.nullable(v.string())) });
  const maps: AdminMap[] = [];
  let cursor: string | undefined;
  do {
    const page = await call("users", "/admin/maps", Page, { query: { limit: PAGE, cursor } });
    maps.push(...page.maps);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return maps.reverse();
}

export function createMap(body: MapInput): Promise<AdminMap> {
  return call("users", "/admin/maps", AdminMap, { method: "POST", body });
}

/** Reads a map as it is now, with the tag of this version for `updateMap`. */
export async function fetchMap(id: string): Promise<{ readonly map: AdminMap; readonly version: string }> {
  const { body, etag } = await callTagged("users", `/admin/maps/${id}`, AdminMap);
  return { map: body, version: etag };
}

/** Changes a map. Throws `RequestFailed` with status 412 if it is no longer the version that is given. */
export function updateMap(id: string, body: MapInput, version: string): Promise<AdminMap> {
  return call("users", `/admin/maps/${id}`, AdminMap, { method: "PUT", body, headers: { "if-match": version } });
}

export async function deleteMap(id: string): Promise<void> {
  await call("users", `/admin/maps/${id}`, v.object({ id: v.string() }), { method: "DELETE" });
}

/** Checks a map without storing it: its area, its cells and its faults. */
export function checkMap(body: MapInput, signal?: AbortSignal): Promise<CheckedMap> {
  return call("users", "/admin/maps/check", CheckedMap, { method: "POST", body, signal });
}

/** Switches the monitoring of a map on or off; returns whether it is on. */
export async function toggleMonitoring(id: string, enable: boolean): Promise<boolean> {
  const Toggled = v.object({ is_monitored: v.boolean() });
  const { is_monitored } = await call("data", "/admin/realtime", Toggled, { method: "POST", body: { map_id: id, enable } });
  return is_monitored;
}
