import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { COUNTRY, DATE, LEVELS, type Level, placesOf, WINDOW } from "../../infra/testing/privacy/nested-day.ts";
import { runAsLoader } from "../../infra/testing/raw-counts.ts";
import { newTokenHolder } from "../../infra/testing/reference/customers.ts";
import { exported } from "../../infra/testing/reference/exports.ts";
import { importRows } from "../../infra/testing/reference/import-rows.ts";
import { KAUNAS, loadPlaces, VILNIUS } from "../../infra/testing/reference/lithuania.ts";
import { query } from "../../infra/testing/reference/tables.ts";
import { countries } from "../../shared/countries/countries.ts";
import { stepOf } from "../../shared/countries/step.ts";

const customer = await newTokenHolder();

const Pair = v.looseObject({ batch_date: v.string(), origin_geo_id: v.number(), destination_geo_id: v.number(), trips: v.number() });

/** The trips published to a customer, by origin and destination. */
async function publishedTrips(origin: string, destination: string, country = COUNTRY): Promise<ReadonlyMap<string, number>> {
  const types = { origin_geo_type: origin, destination_geo_type: destination };
  const request = { agg_type: "odm", country_code: country, measure: "trips", ...types, ...WINDOW, format: "parquet" };
  const { rows } = await exported(customer, request);
  // The window is the day of one country: in another time zone it overlaps two days.
  const ofDay = v.parse(v.array(Pair), rows).filter(({ batch_date: date }) => date === DATE);
  return new Map(ofDay.map((row) => [`${row.origin_geo_id} ${row.destination_geo_id}`, row.trips]));
}

/** The pairs of types that are offered: of one level, and municipality with area. */
const TYPES: readonly (readonly [Level, Level])[] = [
  ...LEVELS.map((level): readonly [Level, Level] => [level, level]),
  ["admin_level_2", "admin_level_4"],
  ["admin_level_4", "admin_level_2"],
];
const published = new Map(await Promise.all(TYPES.map(async ([from, to]) => [`${from} ${to}`, await publishedTrips(from, to)] as const)));
const publishedOf = (from: Level, to: Level): ReadonlyMap<string, number> => published.get(`${from} ${to}`) ?? new Map();
const places = await placesOf();

/** Sums of the pairs of finer types, by the pair of geographies around their ends. */
function sumsWithin(parts: ReadonlyMap<string, number>, [from, to]: readonly [Level, Level], finer: readonly [Level, Level]) {
  const sums = new Map<string, number>();
  for (const [key, trips] of parts) {
    const [origin, destination] = key.split(" ").map(Number);
    const pair = `${places(finer[0], origin ?? 0)[from]} ${places(finer[1], destination ?? 0)[to]}`;
    sums.set(pair, (sums.get(pair) ?? 0) + trips);
  }
  return sums;
}

const Raw = v.array(v.object({ pair: v.string(), trips: v.number(), devices: v.number() }));

function rawPairs(type: string, country = COUNTRY): Promise<v.InferOutput<typeof Raw>> {
  const sql = `SELECT CONCAT(CAST(origin_geo_id AS STRING), ' ', CAST(destination_geo_id AS STRING)) AS pair, trips, devices FROM intake.odm_daily
    WHERE loaded_on > '1970-01-01' AND batch_date = '${DATE}' AND country_code = '${country}'
      AND origin_geo_type = '${type}' AND destination_geo_type = '${type}'`;
  return runAsLoader(sql).then((rows) => v.parse(Raw, rows));
}

describe("trips", () => {
  it.each([
    ["grid_250m", COUNTRY],
    ["osm_links", "NOR"],
  ])("of a finest pair are published if at least k devices made them, to the nearest step: %s of %s", async (type, country) => {
    const raw = await rawPairs(type, country);
    const pairs = type === "grid_250m" ? publishedOf("grid_250m", "grid_250m") : await publishedTrips(type, type, country);
    const { k, step } = rulesOf(country);
    const told = raw.filter(({ devices }) => devices >= k);
    const stepped = (trips: number): number => Math.max(step, Math.round(trips / step) * step);
    expect(new Map(pairs)).toEqual(new Map(told.map(({ pair, trips }) => [pair, stepped(trips)])));
    expect(raw.length - told.length).toBeGreaterThan(100);
  });

  it.each(TYPES.slice(1))("from a %s to a %s are those of the published pairs of cells, and missing if there are none", (from, to) => {
    const sums = sumsWithin(publishedOf("grid_250m", "grid_250m"), [from, to], ["grid_250m", "grid_250m"]);
    const sorted = (map: ReadonlyMap<string, number>) => [...map].sort(([one], [other]) => (one < other ? -1 : 1));
    expect(sorted(publishedOf(from, to))).toEqual(sorted(sums));
    expect(sums.size).toBeGreaterThan(10);
  });

  it("of a row or column of the matrix, minus those of its parts, are 0: for mixed and equal types", () => {
    const ofAreas = publishedOf("admin_level_4", "admin_level_4");
    for (const types of [
      ["admin_level_2", "admin_level_4"],
      ["admin_level_4", "admin_level_2"],
      ["admin_level_2", "admin_level_2"],
    ] as const) {
      const sums = sumsWithin(ofAreas, types, ["admin_level_4", "admin_level_4"]);
      const left = [...publishedOf(types[0], types[1])].map(([pair, trips]) => trips - (sums.get(pair) ?? 0));
      expect(left.filter((trips) => trips !== 0)).toEqual([]);
      expect(left.length).toBeGreaterThan(10);
    }
  });
});

/** Returns the threshold and the step of a country. */
function rulesOf(country: string): { readonly k: number; readonly step: number } {
  const rules = countries()[country];
  if (!rules) throw new Error(`there are no rules of ${country}`);
  return { k: rules.k, step: stepOf(rules) };
}

it("a day without pairs of the finest type publishes none: trips of municipalities alone would stand for themselves", async () => {
  await loadPlaces();
  const [date, begin, end] = ["2019-05-01", "2019-04-30T21:00:00Z", "2019-05-01T21:00:00Z"];
  await importRows("odm_daily", [
    "country_code,batch_date,origin_geo_type,origin_geo_id,destination_geo_type,destination_geo_id,trips,devices",
    `LTU,${date},admin_level_2,${VILNIUS},admin_level_2,${KAUNAS},300,30`,
    `LTU,${date},admin_level_2,${KAUNAS},admin_level_2,${VILNIUS},500,60`,
  ]);
  const lithuanian = await newTokenHolder({ countries: ["LTU"], defaultCountry: "LTU" });
  const types = { origin_geo_type: "admin_level_2", destination_geo_type: "admin_level_2" };
  const request = { agg_type: "odm", country_code: "LTU", measure: "trips", ...types, start_time: begin, end_time: end, format: "parquet" };
  expect((await exported(lithuanian, request)).rows).toEqual([]);
});

describe("the distance of a pair", () => {
  it.each([
    ["grid_250m", "grid_250m"],
    ["grid_1000m", "grid_1000m"],
    ["admin_level_4", "admin_level_2"],
  ] as const)("is that of the centroids, which no trips decide: from a %s to a %s", async (from, to) => {
    const types = { origin_geo_type: from, destination_geo_type: to };
    const request = { agg_type: "odm", country_code: COUNTRY, measure: "trips", ...types, ...WINDOW, format: "parquet" };
    const pairs = v.parse(v.array(DistantPair), (await exported(customer, request)).rows);
    const [origins, destinations] = [await centroidsOf(from), await centroidsOf(to)];
    const wrong = pairs.filter((pair) => {
      const metres = metresBetween(origins.get(pair.origin_geo_id), destinations.get(pair.destination_geo_id));
      // Half a metre for centroids of eight decimals and a radius that is a metre shorter.
      return !(Math.abs(pair.General_Distance - metres) <= 0.5);
    });
    expect([pairs.length > 0, wrong]).toEqual([true, []]);
  });
});

const DistantPair = v.looseObject({ origin_geo_id: v.number(), destination_geo_id: v.number(), General_Distance: v.number() });
const Centroid = v.object({ geo_id: v.number(), lon: v.number(), lat: v.number() });
type Centroid = v.InferOutput<typeof Centroid>;

async function centroidsOf(level: Level): Promise<ReadonlyMap<number, Centroid>> {
  const sql = `SELECT geo_id, lon, lat FROM mobility.geographies WHERE country_code = '${COUNTRY}' AND geo_type = '${level}'`;
  return new Map(v.parse(v.array(Centroid), await query(sql)).map((place) => [place.geo_id, place]));
}

/** The great-circle distance on a sphere of 6,371,010 m. NaN without one of the places. */
function metresBetween(one: Centroid | undefined, other: Centroid | undefined): number {
  if (!one || !other) return Number.NaN;
  const [south, north] = [radians(one.lat), radians(other.lat)];
  const chord = Math.sin((north - south) / 2) ** 2 + Math.cos(south) * Math.cos(north) * Math.sin(radians(other.lon - one.lon) / 2) ** 2;
  return 2 * 6_371_010 * Math.asin(Math.sqrt(chord));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
