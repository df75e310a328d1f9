import { expect, it } from "vitest";
import type { AreaRules } from "./area-rules.ts";
import type { ActivityDay, Country, RawActivity } from "./dataset.ts";
import { denserPairings } from "./denser.ts";
import { placesOf } from "./places.ts";
import { townOf } from "./town.ts";
import { trajectoriesOf } from "./trajectories-of-country.ts";
import { utilityOf } from "./utility.ts";

const RULES: AreaRules = { k: 5, step: 20, peoplePerDevice: 4, finestLevel: 0, isProtected: false, isStrict: false };
/** 250 m cells from west to east, with their devices. The third has the most. */
const DEVICES = [4, 12, 30, 7, 90];
const IDS = DEVICES.map((_, index) => (5300 * 1000 + 250 * index) * 1e7 + 3_613_000);
const PLACES = placesOf(
  IDS.map((id) => ({ geo_type: "grid_250m", geo_id: id, parent_id: null })),
  0,
);
const COUNTRY: Country = {
  ...{
    code: "EST",
    activities: RULES,
    places: PLACES,
    pairs: undefined,
    placesOfPairs: new Map(),
    placesOfLinks: new Map(),
    centroids: new Map(),
  },
};
const rows = (devices: readonly number[]): ReadonlyMap<string, RawActivity> =>
  new Map(
    devices.flatMap((count, index) => {
      const values = { people: 4 * count, staysCount: 0, staysMinutes: 0, staysDevices: 0, devices: count };
      return count > 0 ? [[`0/${IDS[index]}`, values] as const] : [];
    }),
  );
const night = rows([...DEVICES.slice(0, 4), 0]);
const RAW: ActivityDay<RawActivity> = {
  date: "2026-03-01",
  hours: new Map(Array.from({ length: 24 }, (_, hour) => [`2026-03-01T${String(hour).padStart(2, "0")}:00:00Z`, night])),
  day: rows(DEVICES),
};

it("a town is the cells around the one with the most devices at night, with so many devices at most", () => {
  expect(townOf(COUNTRY, RAW, 45).map(({ night: devices }) => devices)).toEqual([30, 12]);
  expect(townOf(COUNTRY, RAW, 1).map(({ night: devices }) => devices)).toEqual([30]);
  expect(townOf(COUNTRY, RAW, 1000).map(({ night: devices }) => devices)).toEqual([30, 12, 7, 4]);
  expect(townOf(COUNTRY, { ...RAW, hours: new Map() }, 45)).toEqual([]);
});

it("its trajectories are those of as many people as it has devices, from exact and from published counts", () => {
  const found = trajectoriesOf(COUNTRY, RAW, 1);
  expect(found).toMatchObject({ country: "EST", cells: 4, devices: 53 });
  expect(found?.exact.accuracy).toBeGreaterThan(found?.published.accuracy ?? 1);
  expect(trajectoriesOf(COUNTRY, { ...RAW, hours: new Map() }, 1)).toBeUndefined();
});

it("with more devices in every place more rows are published, with smaller errors", () => {
  const of = (times: number) => utilityOf(denserPairings(COUNTRY, RAW, times)).find(({ level }) => level === "grid_250m, hour");
  const [once, twice] = [of(1), of(2)];
  expect([once?.rows, twice?.rows]).toEqual([72, 96]);
  expect(twice?.p95).toBeLessThan(once?.p95 ?? 0);
});
