import { computed, signal } from "@preact/signals";
import { geometryOf } from "../../../shared/geometry/wkt-to-geojson.ts";
import { findGeographies, type Geography, IDS_MAX } from "../api/geographies.ts";
import type { Geometry } from "../api/geometry.ts";
import { type AdminMap, listMaps } from "../api/maps.ts";
import { onSignOut } from "../session/session.ts";
import { notifyFault } from "../shell/notices.tsx";

/** The customer's maps, newest first; undefined until they are read. */
export const maps = signal<readonly AdminMap[] | undefined>(undefined);
export const mapsFault = signal<unknown>(undefined);

/** What standard geographies look like, by country, type and id. */
const geographies = signal<ReadonlyMap<string, Geography>>(new Map());

onSignOut(() => {
  maps.value = undefined;
  geographies.value = new Map();
});

/** How many geographies of each map are drawn while many are listed: enough to find it. The one that is open is drawn whole. */
const LISTED_MAX = 500;

/** The maps with what is known of their shapes. */
export const shapes = computed((): ReadonlyMap<string, readonly Geometry[]> => {
  const known = geographies.value;
  return new Map(
    (maps.value ?? []).map((map) => [
      map.id,
      map.geometry === undefined ? (map.ids ?? []).flatMap((id) => known.get(keyOf(map, id))?.geometry ?? []) : polygonOf(map.geometry),
    ]),
  );
});

/** Reads the maps, and then the shapes of those that are made of geographies. */
export async function loadMaps(): Promise<void> {
  try {
    maps.value = await listMaps();
    mapsFault.value = undefined;
  } catch (error) {
    mapsFault.value = error;
    return;
  }
  await loadShapes(maps.value).catch(notifyFault);
}

/** Puts a saved map in its place in the list. */
export function putMap(map: AdminMap): void {
  const others = (maps.value ?? []).filter(({ id }) => id !== map.id);
  const index = (maps.value ?? []).findIndex(({ id }) => id === map.id);
  maps.value = index < 0 ? [map, ...others] : others.toSpliced(index, 0, map);
  loadShapes([map]).catch(notifyFault);
}

export function removeMap(id: string): void {
  maps.value = (maps.value ?? []).filter((map) => map.id !== id);
}

/** The names of a map's geographies, as far as they are known. */
export function namesOf(map: AdminMap): ReadonlyMap<number, string> {
  return new Map(
    (map.ids ?? []).flatMap((id) => {
      const known = geographies.peek().get(keyOf(map, id));
      return known ? [[id, known.name] as const] : [];
    }),
  );
}

/** Reads what is missing of a map's shape. */
export function loadWhole(map: AdminMap): void {
  loadShapes([map], Infinity).catch(notifyFault);
}

async function loadShapes(wanted: readonly AdminMap[], most = LISTED_MAX): Promise<void> {
  const missing = new Map<string, { country: string; geoType: string; ids: Set<number> }>();
  for (const map of wanted)
    for (const id of (map.ids ?? []).slice(0, most)) {
      if (geographies.value.has(keyOf(map, id))) continue;
      const country = map.country_code ?? "";
      const group = missing.get(`${country} ${map.type}`) ?? { country, geoType: map.type, ids: new Set<number>() };
      missing.set(`${country} ${map.type}`, group);
      group.ids.add(id);
    }
  for (const { country, geoType, ids } of missing.values()) {
    const found: Geography[] = [];
    for (let from = 0; from < ids.size; from += IDS_MAX)
      found.push(...(await findGeographies({ country, geoType, ids: [...ids].slice(from, from + IDS_MAX) })));
    geographies.value = new Map([...geographies.value, ...found.map((one) => [`${country} ${geoType} ${one.id}`, one] as const)]);
  }
}

function keyOf({ country_code, type }: AdminMap, id: number): string {
  return `${country_code ?? ""} ${type} ${id}`;
}

function polygonOf(wkt: string): Geometry[] {
  try {
    return [geometryOf(wkt)];
  } catch {
    return [];
  }
}
