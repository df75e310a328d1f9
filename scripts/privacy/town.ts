import type { TownCell } from "./attacks/trajectories.ts";
import type { ActivityDay, Country, RawActivity } from "./dataset.ts";

/** The hours of a day that count who sleeps, and who works, in a cell: the fourth and the fourteenth. */
const [NIGHT, NOON] = [3, 13];
/** A grid id is easting × 10^7 + northing of the south-west corner, metres. */
const EASTING = 10_000_000;

/**
 * Returns the finest cells around the one with the most devices at night, the nearest first, with so many devices in sum at most, and at least
 * one cell. Empty for a country whose finest type is not a cell, or without so many hours.
 */
export function townOf({ places, activities: rules }: Country, raw: ActivityDay<RawActivity>, devicesMax: number): TownCell[] {
  const hours = [...raw.hours.values()];
  const [night, noon] = [hours[NIGHT], hours[NOON]];
  if (rules.finestLevel > 1 || !night || !noon) return [];
  const cells = [...night].flatMap(([id, { devices }]): TownCell[] => {
    const geoId = Number(id.split("/")[1]);
    const at = { east: Math.floor(geoId / EASTING), north: geoId % EASTING };
    return places.get(id)?.level === rules.finestLevel ? [{ id, ...at, night: devices, noon: noon.get(id)?.devices ?? 0 }] : [];
  });
  const centre = cells.reduce<TownCell | undefined>((most, cell) => (most && most.night >= cell.night ? most : cell), undefined);
  if (!centre) return [];
  const metres = (cell: TownCell): number => Math.hypot(cell.east - centre.east, cell.north - centre.north);
  const nearest = cells.toSorted((a, b) => metres(a) - metres(b));
  let devices = 0;
  const last = nearest.findIndex((cell, index) => {
    devices += cell.night;
    return index > 0 && devices > devicesMax;
  });
  return last < 0 ? nearest : nearest.slice(0, last);
}
