import { importRows } from "./import-rows.ts";

/** Geographies of admin_level_2. */
export const VILNIUS = 13;
export const KAUNAS = 19;
/** A road link from west to east at 54.687° N. */
export const STREET = 77;

/**
 * Days around clock changes and around the end of February, with their start and the number of people in Vilnius. Lithuania, which has no
 * sample data, is two hours ahead of UTC in winter and three in summer.
 */
export const DAYS: Readonly<Record<string, { readonly begins: string; readonly people: number }>> = {
  "2024-02-28": { begins: "2024-02-27T22:00:00.000Z", people: 228 },
  "2024-02-29": { begins: "2024-02-28T22:00:00.000Z", people: 229 },
  "2024-03-01": { begins: "2024-02-29T22:00:00.000Z", people: 301 },
  "2025-02-28": { begins: "2025-02-27T22:00:00.000Z", people: 1228 },
  "2025-03-01": { begins: "2025-02-28T22:00:00.000Z", people: 1301 },
  "2026-03-28": { begins: "2026-03-27T22:00:00.000Z", people: 328 },
  "2026-03-29": { begins: "2026-03-28T22:00:00.000Z", people: 329 },
  "2026-03-30": { begins: "2026-03-29T21:00:00.000Z", people: 330 },
  "2026-10-24": { begins: "2026-10-23T21:00:00.000Z", people: 1024 },
  "2026-10-25": { begins: "2026-10-24T21:00:00.000Z", people: 1025 },
  "2026-10-26": { begins: "2026-10-25T22:00:00.000Z", people: 1026 },
};

/** The hours of three days hold 10, 20, 30 … people; the hours before and after hold 9,000. */
const HOURS = [
  { first: "2024-02-28T22:00:00Z", count: 24 },
  { first: "2026-03-28T22:00:00Z", count: 23 },
  { first: "2026-10-24T21:00:00Z", count: 25 },
].flatMap(({ first, count }) =>
  Array.from({ length: count + 2 }, (_, index) => ({
    bucket: new Date(Date.parse(first) + (index - 1) * 3_600_000).toISOString(),
    people: index === 0 || index === count + 1 ? 9000 : 10 * index,
  })),
);
/** The last hour of 29 February 2024 has 240 people but only 4 devices. */
const WITHHELD = "2024-02-29T21:00:00.000Z";

const ACTIVITIES = "country_code,geo_type,geo_id,time_bucket,people,stays_count,stays_dwell_minutes,stays_devices,devices";

/** Loads the municipalities and the street into the running service. */
export async function loadPlaces(): Promise<void> {
  await importRows("geographies", [
    "country_code,geo_type,geo_id,geo_name,lon,lat",
    `LTU,admin_level_2,${VILNIUS},Vilniaus m. sav.,25.28,54.69`,
    `LTU,admin_level_2,${KAUNAS},Kauno m. sav.,23.9,54.9`,
  ]);
  await importRows("road_links", [
    "country_code,link_id,name,class,geometry",
    `LTU,${STREET},Gedimino prospektas,primary,"LINESTRING(25.27 54.687, 25.29 54.687)"`,
  ]);
}

/** Loads these days and hours into every fact table of the running service, and for 29 March 2026 a second row that is withheld. */
export async function loadLithuania(): Promise<void> {
  const days = Object.entries(DAYS);
  await loadPlaces();
  await importRows("activities_daily", [
    ACTIVITIES,
    ...days.map(([, { begins, people }]) => `LTU,admin_level_2,${VILNIUS},${begins},${people},1,2,5,9`),
    `LTU,admin_level_2,${KAUNAS},${DAYS["2026-03-29"]?.begins},40,1,2,5,4`,
  ]);
  await importRows("activities_hourly", [
    ACTIVITIES,
    ...HOURS.map(({ bucket, people }) => `LTU,admin_level_2,${VILNIUS},${bucket},${people},1,2,5,${bucket === WITHHELD ? 4 : 9}`),
  ]);
  await importRows("odm_daily", [
    "country_code,batch_date,origin_geo_type,origin_geo_id,destination_geo_type,destination_geo_id,trips,devices",
    ...days.map(([date, { people }]) => `LTU,${date},admin_level_2,${VILNIUS},admin_level_2,${KAUNAS},${people},9`),
    `LTU,2026-03-29,admin_level_2,${KAUNAS},admin_level_2,${VILNIUS},40,4`,
  ]);
  await importRows("flows_hourly", [
    "country_code,link_id,time_bucket,direction,people,devices",
    ...HOURS.map(({ bucket, people }) => `LTU,${STREET},${bucket},1,${people},${bucket === WITHHELD ? 4 : 9}`),
  ]);
}
