import { type Counts, publishDay, publishHour } from "../area-rule.ts";
import { type AreaRules, hasHours, peopleOf } from "../area-rules.ts";
import { type GeographyRow, LEVEL_TYPES, placeId, placesOf } from "../places.ts";

/** The rules of Estonia, whose finest type is the km cell. */
export const ESTONIA: AreaRules = { k: 5, step: 20, peoplePerDevice: 3.4, finestLevel: 1, isProtected: false, isStrict: false };
export const DATE = "2026-03-01";
const HOURS: readonly string[] = ["2026-03-01T08:00:00Z", "2026-03-01T09:00:00Z"];
const DAY = "2026-02-28T22:00:00Z";

const [KM, AREA, REGION] = ["grid_1000m", "admin_level_4", "admin_level_2"];
/** The devices of the km cells in two hours and in the day: three cells of one area, three of another. */
const CELLS: readonly { readonly id: number; readonly area: number; readonly devices: readonly [number, number, number] }[] = [
  { id: 51720004009000, area: 8090001, devices: [12, 14, 16] },
  { id: 51720004010000, area: 8090001, devices: [16, 3, 17] },
  { id: 51730004008000, area: 8090001, devices: [3, 0, 3] },
  { id: 51730004009000, area: 8090002, devices: [15, 2, 15] },
  { id: 51730004010000, area: 8090002, devices: [2, 6, 7] },
  { id: 51740004010000, area: 8090002, devices: [1, 0, 1] },
];
const AREAS = [8090001, 8090002];
const TOWN = 809;

/** Estonia's rules with the strict profile: steps of 2k devices, and no hours of km cells. */
export const STRICT: AreaRules = { ...ESTONIA, step: 35, isStrict: true };

/** The geometry of a planted town. */
export const GEOGRAPHIES: readonly Required<GeographyRow>[] = [
  ...CELLS.map(({ id, area }) => ({ geo_type: KM ?? "", geo_id: id, parent_id: area })),
  ...AREAS.map((id) => ({ geo_type: AREA ?? "", geo_id: id, parent_id: TOWN })),
  { geo_type: REGION ?? "", geo_id: TOWN, parent_id: null },
];

/** A row of Activities without stays, as delivered and, if it is told, as published. */
export interface PlantedRow {
  readonly table: "activities_hourly" | "activities_daily";
  readonly geoType: string;
  readonly geoId: number;
  readonly bucket: string;
  readonly devices: number;
  readonly people: number;
  readonly published: number;
}

/** Returns the rows of the planted town by one of these rules. Nobody is in two cells in one bucket. */
export function plantedRows(rules: AreaRules): PlantedRow[] {
  const places = placesOf(GEOGRAPHIES, rules.finestLevel);
  const buckets = [0, 1, 2].map(countsOfBucket);
  const hours = buckets.slice(0, 2).map((counts) => publishHour(places, rules, counts));
  const day = publishDay(places, rules, buckets[2] ?? new Map(), hours);
  return [...hours, day].flatMap((rows, index) =>
    [...rows].map(([id, { number }]) => {
      const [level = "", geoId = ""] = id.split("/");
      const count = buckets[index]?.get(id) ?? { devices: 0, people: 0 };
      const table = index < 2 ? "activities_hourly" : "activities_daily";
      const geoType = LEVEL_TYPES[Number(level)] ?? "";
      const published = table === "activities_daily" || hasHours(Number(level), rules) ? number : 0;
      return { table, geoType, geoId: Number(geoId), bucket: HOURS[index] ?? DAY, ...count, published };
    }),
  );
}

function countsOfBucket(bucket: number): Counts {
  const devices = new Map<string, number>();
  const add = (id: string, count: number): void => void devices.set(id, (devices.get(id) ?? 0) + count);
  for (const { id, area, devices: counts } of CELLS)
    for (const around of [placeId(1, id), placeId(2, area), placeId(3, TOWN)]) add(around, counts[bucket] ?? 0);
  return new Map(
    [...devices].flatMap(([id, count]) => (count > 0 ? [[id, { devices: count, people: peopleOf(count, ESTONIA) }] as const] : [])),
  );
}
