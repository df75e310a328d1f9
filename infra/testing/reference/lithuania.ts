import { runAsLoader } from "../raw-counts.ts";
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
/** The last hour of 29 February 2024 is withheld. */
const WITHHELD = "2024-02-29T21:00:00.000Z";

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

/**
 * Publishes these days and hours in every fact table of the running service, as a load does. Numbers are told exactly: the tests are about time,
 * not about steps.
 */
export async function loadLithuania(): Promise<void> {
  const days = Object.entries(DAYS);
  await loadPlaces();
  const hours = HOURS.filter(({ bucket }) => bucket !== WITHHELD).map(({ bucket, people }) => ({ bucket, people, date: dayOf(bucket) }));
  const area = "country_code, geo_type, geo_id, time_bucket, people, stays_count, stays_dwell_minutes, stays_devices, batch_date";
  const ofVilnius = (bucket: string, people: number, date: string): string =>
    `('LTU', 'admin_level_2', ${VILNIUS}, TIMESTAMP '${bucket}', ${people}, 1, 2, 5, DATE '${date}')`;
  await publish(
    "activities_daily",
    area,
    days.map(([date, { begins, people }]) => ofVilnius(begins, people, date)),
    Object.keys(DAYS),
  );
  await publish(
    "activities_hourly",
    area,
    hours.map(({ bucket, people, date }) => ofVilnius(bucket, people, date)),
    datesOf(hours),
  );
  await publish(
    "odm_daily",
    "country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips",
    days.map(([date, { people }]) => `('LTU', DATE '${date}', 'admin_level_2', ${VILNIUS}, 'admin_level_2', ${KAUNAS}, ${people})`),
    Object.keys(DAYS),
  );
  await publish(
    "flows_hourly",
    "country_code, link_id, time_bucket, direction, people, batch_date",
    hours.map(({ bucket, people, date }) => `('LTU', ${STREET}, TIMESTAMP '${bucket}', 1, ${people}, DATE '${date}')`),
    datesOf(hours),
  );
}

/** Inserts published rows and their ledger, as the loader. */
async function publish(table: string, columns: string, rows: readonly string[], dates: readonly string[]): Promise<void> {
  await runAsLoader(`INSERT INTO mobility.${table} (${columns}) VALUES ${rows.join(", ")}`);
  const batches = dates.map((date) => `('LTU', '${table}', DATE '${date}', 1, 1, CURRENT_TIMESTAMP())`);
  await runAsLoader(
    `INSERT INTO mobility.batches (country_code, table_name, batch_date, version, row_count, loaded_at) VALUES ${batches.join(", ")}`,
  );
}

/** Returns the civil day of an hour in Lithuania. */
function dayOf(bucket: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Vilnius" }).format(new Date(bucket));
}

function datesOf(hours: readonly { readonly date: string }[]): string[] {
  return [...new Set(hours.map(({ date }) => date))];
}
