import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { COUNTRY, DATE, LEVELS, type Level, placesOf, WINDOW } from "../../infra/testing/privacy/nested-day.ts";
import { countryOf } from "../../infra/testing/reference/countries.ts";
import { newTokenHolder } from "../../infra/testing/reference/customers.ts";
import { exported } from "../../infra/testing/reference/exports.ts";
import { query } from "../../infra/testing/reference/tables.ts";

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

const Raw = v.array(v.object({ pair: v.string(), devices: v.number() }));

function rawPairs(type: string, country = COUNTRY): Promise<v.InferOutput<typeof Raw>> {
  const sql = `SELECT CONCAT(CAST(origin_geo_id AS STRING), ' ', CAST(destination_geo_id AS STRING)) AS pair, devices FROM mobility.odm_daily
    WHERE batch_date = '${DATE}' AND country_code = '${country}' AND origin_geo_type = '${type}' AND destination_geo_type = '${type}'`;
  return query(sql).then((rows) => v.parse(Raw, rows));
}

describe("trips", () => {
  it.each([
    ["grid_250m", COUNTRY],
    ["osm_links", "NOR"],
  ])("of a pair are published if at least k devices made them: %s of %s", async (type, country) => {
    const raw = await rawPairs(type, country);
    const pairs = type === "grid_250m" ? publishedOf("grid_250m", "grid_250m") : await publishedTrips(type, type, country);
    const { k } = countryOf({ country_code: country });
    const few = raw.filter(({ devices }) => devices < k);
    expect(few.filter(({ pair }) => pairs.has(pair))).toEqual([]);
    expect(few.length).toBeGreaterThan(100);
    expect(pairs.size).toBe(raw.length - few.length);
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
