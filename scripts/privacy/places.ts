/** A geography of a nested type, and what lies around it. */
export interface Place {
  /** `LEVEL/GEO_ID`. */
  readonly id: string;
  /** 0 for 250 m cells, 1 for km cells, 2 for admin_level_4, 3 for admin_level_2. */
  readonly level: number;
  /** The ids of the places that it lies in, by level, itself included; undefined where it lies in none or in several. */
  readonly around: readonly (string | undefined)[];
  /** The direct parts in the geometry, inhabited or not. */
  readonly parts: number;
  /** Whether it is a km cell whose cells lie in more than one area: no part of any area, and not published in people. */
  readonly straddles: boolean;
}

/** The places of a country by id. */
export type Places = ReadonlyMap<string, Place>;

/** The nested geography types by level. */
export const LEVEL_TYPES: readonly string[] = ["grid_250m", "grid_1000m", "admin_level_4", "admin_level_2"];
/** The type of road links, which lie in no place whole. */
export const LINKS = "osm_links";
const AREA = 2;
const TOP = 3;
const KM = 1000;
/** A grid id is easting × 10^7 + northing of the south-west corner, metres. */
const EASTING = 10_000_000;

/** A row of `mobility.geographies`. */
export interface GeographyRow {
  readonly geo_type: string;
  readonly geo_id: number;
  readonly parent_id: number | null;
}

/**
 * Returns the places of a country by rule 2 of what is published, from the geographies of the types that the country offers.
 * @param finestLevel the level of the finest type that the country offers; finer geographies are left out
 */
export function placesOf(rows: readonly GeographyRow[], finestLevel: number): Places {
  const known = rows
    .map((row) => ({ ...row, level: LEVEL_TYPES.indexOf(row.geo_type) }))
    .filter(({ level }) => level >= finestLevel)
    .sort((a, b) => a.level - b.level);
  const present = new Set(known.map(({ level, geo_id }) => placeId(level, geo_id)));
  const areaOf = new Map(known.flatMap(({ level, geo_id, parent_id }) => (level === AREA ? [[geo_id, parent_id] as const] : [])));
  const areasOfKm = new Map<string, Set<number | null>>();
  for (const { level, geo_id, parent_id } of known) if (level === 0) add(areasOfKm, placeId(1, kmOf(geo_id)), parent_id);
  const straddles = (id: string): boolean => (areasOfKm.get(id)?.size ?? 0) > 1;
  /** The area in which a km lies: that of its cells, if it is one. */
  const areaOfKm = (km: number, parent: number | null): number | null => {
    const areas = areasOfKm.get(placeId(1, km));
    if (areas === undefined) return parent;
    const [only = null] = areas.size === 1 ? areas : [];
    return only;
  };
  /** The places around an area, itself included, by level. */
  const aroundArea = (area: number | null): (string | undefined)[] => {
    if (area === null) return [undefined, undefined];
    const top = areaOf.get(area) ?? null;
    return [placeId(AREA, area), top === null ? undefined : placeId(TOP, top)];
  };
  const around = (level: number, geoId: number, parent: number | null): (string | undefined)[] => {
    if (level === TOP) return [undefined, undefined, undefined, placeId(TOP, geoId)];
    if (level === AREA) return [undefined, undefined, ...aroundArea(geoId)];
    if (level === 1) return [undefined, placeId(1, geoId), ...aroundArea(areaOfKm(geoId, parent))];
    const km = placeId(1, kmOf(geoId));
    return [placeId(0, geoId), present.has(km) ? km : undefined, ...aroundArea(parent)];
  };
  const found = known.map(({ level, geo_id, parent_id }) => ({
    id: placeId(level, geo_id),
    level,
    around: around(level, geo_id, parent_id),
  }));
  const straddling = new Set(found.filter(({ id, level }) => level === 1 && straddles(id)).map(({ id }) => id));
  const parts = new Map<string, number>();
  // Finest first, so that a place's own parts are counted before it is one: nobody hides in a place without any.
  for (const { id, level, around: ids } of found) {
    if (level > finestLevel && !parts.has(id)) continue;
    const within = partOf(level, ids, (id) => present.has(id) && !straddling.has(id));
    if (within !== undefined) parts.set(within, (parts.get(within) ?? 0) + 1);
    // A straddling km has its cells as parts, too: it is only no part of an area itself.
    if (level === 0 && ids[1] !== undefined && straddling.has(ids[1])) parts.set(ids[1], (parts.get(ids[1]) ?? 0) + 1);
  }
  return new Map(found.map((place) => [place.id, { ...place, parts: parts.get(place.id) ?? 0, straddles: straddling.has(place.id) }]));
}

/** Returns the id of the place of which another is a direct part: the nearest around it that `holds`. Undefined if there is none. */
export function partOf(level: number, around: readonly (string | undefined)[], holds: (id: string) => boolean): string | undefined {
  return around.slice(level + 1).find((id) => id !== undefined && holds(id));
}

/**
 * Returns the id of the place of a level around a 250 m cell; undefined if it is not known.
 * @param cells places from the finest level on
 */
export function placeAround(cells: Places, level: number, cell: number): string | undefined {
  return level === 1 ? placeId(1, kmOf(cell)) : cells.get(placeId(0, cell))?.around[level];
}

/** Returns the id of a place. */
export function placeId(level: number, geoId: number): string {
  return `${level}/${geoId}`;
}

/** Returns the id of a road link. */
export function linkEnd(id: number): string {
  return `${LINKS}/${id}`;
}

function kmOf(cell: number): number {
  return cell - (Math.floor(cell / EASTING) % KM) * EASTING - ((cell % EASTING) % KM);
}

function add(map: Map<string, Set<number | null>>, key: string, value: number | null): void {
  const set = map.get(key);
  if (set) set.add(value);
  else map.set(key, new Set([value]));
}
