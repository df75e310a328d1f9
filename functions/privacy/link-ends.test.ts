import * as v from "valibot";
import { beforeAll, describe, expect, it } from "vitest";
import { syncPreview } from "../../infra/testing/reference/answers.ts";
import { newTokenHolder } from "../../infra/testing/reference/customers.ts";
import { importRows } from "../../infra/testing/reference/import-rows.ts";
import { query } from "../../infra/testing/reference/tables.ts";
import { attackPairs } from "../../scripts/privacy/attacks/pairs.ts";
import type { Country, PublishedPair, RawPair } from "../../scripts/privacy/dataset.ts";
import { LEVEL_TYPES, placesOf } from "../../scripts/privacy/places.ts";
import { scoreSets } from "../../scripts/privacy/verdicts.ts";
import { countries } from "../../shared/countries/countries.ts";
import { stepOf } from "../../shared/countries/step.ts";

const CODE = "NOR";
const DATE = "2019-05-02";
const WINDOW = { start_time: "2019-05-01T22:00:00.000Z", end_time: "2019-05-02T22:00:00.000Z" };
const LINK = "osm_links";
/** Trips of a device. */
const TRIPS = 4;
/** The devices between each of two road links and four cells of a km: some of the first are told, of the second none. */
const DEVICES = [
  [12, 3, 7, 1],
  [2, 3, 1, 0],
];

const customer = await newTokenHolder({ countries: [CODE], defaultCountry: CODE });
const Geographies = v.array(
  v.object({ geo_type: v.string(), geo_id: v.number(), parent_id: v.nullable(v.number()), lon: v.number(), lat: v.number() }),
);
const geographies = v.parse(
  Geographies,
  await query(`SELECT geo_type, geo_id, parent_id, lon, lat FROM mobility.geographies WHERE country_code = '${CODE}'`),
);
const country = countryOfGeographies();
const links = geographies.flatMap(({ geo_type: type, geo_id: id }) => (type === LINK ? [id] : [])).slice(0, DEVICES.length);
const cells = cellsOfKm();
const delivered = deliveredPairs();

/** The country as an attacker knows it. */
function countryOfGeographies(): Country {
  const rules = countries()[CODE];
  if (rules?.peopleOfDevice === undefined) throw new Error(`there are no rules of ${CODE}`);
  const { k, peopleOfDevice: peoplePerDevice, isProtected, isStrict } = rules;
  const areas = { k, step: stepOf(rules), peoplePerDevice, finestLevel: 0, isProtected, isStrict };
  const places = placesOf(geographies, 0);
  const centroids = new Map(geographies.map(({ geo_type, geo_id, lon, lat }) => [`${geo_type}/${geo_id}`, [lon, lat] as const]));
  return { code: CODE, activities: areas, places, pairs: areas, placesOfPairs: places, placesOfLinks: new Map(), centroids };
}

/** Returns four cells of a km that lies in one area. */
function cellsOfKm(): readonly (readonly (readonly [type: string, id: number])[])[] {
  const inside = [...country.places.values()].filter(({ level, around }) => level === 0 && around.every((id) => id !== undefined));
  const [, own = []] = [...Map.groupBy(inside, ({ around }) => around[1])].find(([, some]) => some.length >= 4) ?? [];
  return own.slice(0, 4).map(({ around }) => around.map((id, level) => [LEVEL_TYPES[level] ?? "", Number(id?.split("/")[1])] as const));
}

/** The pairs of links and cells, both ways, and the wholes around the cells with all their devices. */
function deliveredPairs(): RawPair[] {
  const pairs = new Map<string, RawPair>();
  links.forEach((link, row) => {
    cells.forEach((around, column) => {
      for (const [type, id] of around)
        for (const isOrigin of [true, false]) {
          const [origin, destination] = isOrigin
            ? [[LINK, link] as const, [type, id] as const]
            : [[type, id] as const, [LINK, link] as const];
          const key = [...origin, ...destination].join(" ");
          const devices = (pairs.get(key)?.devices ?? 0) + (DEVICES[row]?.[column] ?? 0);
          const ends = { originType: origin[0], originId: origin[1], destinationType: destination[0], destinationId: destination[1] };
          pairs.set(key, { ...ends, trips: TRIPS * devices, speed: null, devices });
        }
    });
  });
  return [...pairs.values()].filter(({ devices }) => devices > 0);
}

const Answer = v.array(
  v.looseObject({ origin_geo_id: v.number(), destination_geo_id: v.number(), trips: v.number(), General_Distance: v.number() }),
);

/** Returns the pairs of links with geographies of a type that a customer gets, one way. */
async function publishedPairs(type: string, isFromLink: boolean): Promise<PublishedPair[]> {
  const [originType, destinationType] = isFromLink ? [LINK, type] : [type, LINK];
  const types = { origin_geo_type: originType, destination_geo_type: destinationType };
  const side = isFromLink ? "origin_geo_ids" : "destination_geo_ids";
  const answers = await Promise.all(
    links.map((link) => syncPreview(customer, { agg_type: "odm", country_code: CODE, ...types, ...WINDOW, [side]: String(link) })),
  );
  return answers.flatMap(({ results }) =>
    v.parse(Answer, results).map(({ origin_geo_id: originId, destination_geo_id: destinationId, trips, General_Distance: distance }) => {
      return { originType, originId, destinationType, destinationId, trips, speed: null, distance };
    }),
  );
}

describe("a day with pairs of road links and geographies of every type", () => {
  let published: readonly PublishedPair[];

  beforeAll(async () => {
    await importRows("odm_daily", [
      "country_code,batch_date,origin_geo_type,origin_geo_id,destination_geo_type,destination_geo_id,trips,devices",
      ...delivered.map((pair) =>
        [CODE, DATE, pair.originType, pair.originId, pair.destinationType, pair.destinationId, pair.trips, pair.devices].join(","),
      ),
    ]);
    published = (await Promise.all(LEVEL_TYPES.flatMap((type) => [publishedPairs(type, true), publishedPairs(type, false)]))).flat();
  });

  it("gives no withheld pair of a link and a cell away by the pair of the link and the km, area or municipality around", () => {
    const { trips, distances } = attackPairs(country, published, delivered);
    const { k } = country.activities;
    expect(scoreSets(trips, k)).toEqual({ considered: 6, shown: 0, recovered: 0, open: 0, wrong: 0 });
    expect(scoreSets(distances, k)).toMatchObject({ shown: 0, recovered: 0 });
    // Of the second link no pair with a cell is told, and so none with what is around.
    expect(
      new Set(published.flatMap(({ originId, destinationId }) => links.filter((link) => [originId, destinationId].includes(link)))),
    ).toEqual(new Set(links.slice(0, 1)));
  });

  it("would give all of them away if wholes had the trips that were delivered", () => {
    const isFinest = (pair: PublishedPair | RawPair): boolean => [pair.originType, pair.destinationType].includes("grid_250m");
    const wholes = delivered.filter((pair) => !isFinest(pair)).map((pair) => ({ ...pair, distance: null }));
    const { trips } = attackPairs(country, [...published.filter(isFinest), ...wholes], delivered);
    expect(scoreSets(trips, country.activities.k).recovered).toBe(6);
  });
});
