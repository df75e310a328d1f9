import { describe, expect, it } from "vitest";
import type { AreaRules } from "../area-rules.ts";
import type { Country, PublishedPair, RawPair } from "../dataset.ts";
import { placesOf } from "../places.ts";
import { type Attacked, scoreSets } from "../verdicts.ts";
import { attackPairs, greatCircle } from "./pairs.ts";

const RULES: AreaRules = { k: 5, step: 20, peoplePerDevice: 4, finestLevel: 0, isProtected: false, isStrict: false };
const [KM, OTHER_KM] = [40000003000000, 40010003000000];
const [A, B, C] = [KM, KM + 2500000000, OTHER_KM];
const places = placesOf(
  [
    ...[A, B, C].map((geo_id) => ({ geo_type: "grid_250m", geo_id, parent_id: 1 })),
    ...[KM, OTHER_KM].map((geo_id) => ({ geo_type: "grid_1000m", geo_id, parent_id: 1 })),
  ],
  0,
);
const centroids = new Map<string, readonly [number, number]>([
  [`grid_250m/${A}`, [25, 59]],
  [`grid_250m/${B}`, [25.004, 59]],
  [`grid_250m/${C}`, [25.1, 59.1]],
  [`grid_1000m/${KM}`, [25.01, 59]],
  [`grid_1000m/${OTHER_KM}`, [25.1, 59.1]],
]);
const country: Country = {
  code: "XXX",
  activities: RULES,
  places,
  pairs: RULES,
  placesOfPairs: places,
  placesOfLinks: new Map(),
  centroids,
};

function pair(
  originType: string,
  originId: number,
  destinationType: string,
  destinationId: number,
  trips: number,
  speed: number | null,
): PublishedPair {
  const [from, to] = [centroids.get(`${originType}/${originId}`), centroids.get(`${destinationType}/${destinationId}`)];
  const distance = from && to ? greatCircle(from, to) : null;
  return { originType, originId, destinationType, destinationId, trips, speed, distance };
}

const FINEST = [pair("grid_250m", A, "grid_250m", C, 40, 30), pair("osm_links", 7, "grid_250m", A, 20, null)];
const WHOLES = [
  pair("grid_1000m", KM, "grid_1000m", OTHER_KM, 40, 30),
  pair("grid_1000m", KM, "grid_250m", C, 40, 30),
  pair("osm_links", 7, "grid_1000m", KM, 20, null),
];
/** A pair of three devices is withheld: it is a part of the first two wholes. */
const RAW: RawPair[] = [
  ...FINEST.map(({ distance: _, ...told }) => ({ ...told, devices: 10 })),
  { originType: "grid_250m", originId: B, destinationType: "grid_250m", destinationId: C, trips: 12, speed: 90, devices: 3 },
];
const score = (sets: readonly Attacked[]) => scoreSets(sets, RULES.k);

describe("pairs", () => {
  it("whose coarser rows are sums of told finest parts tell nothing of a withheld one", () => {
    const { trips, speeds, distances } = attackPairs(country, [...FINEST, ...WHOLES], RAW);
    expect(score(trips)).toEqual({ considered: 2, shown: 0, recovered: 0, open: 0, wrong: 0 });
    expect([score(speeds).shown, score(distances).shown]).toEqual([0, 0]);
  });

  it.each([
    ["links to a km are summed from mixed pairs", { ...WHOLES[2], trips: 24 }],
    ["a km's trips have those of a withheld cell", { ...WHOLES[0], trips: 52 }],
  ])("give it away if %s", (_, whole) => {
    const sets = attackPairs(country, [...FINEST, { ...pair("", 0, "", 0, 0, null), ...whole }], undefined).trips;
    expect(score(sets)).toMatchObject({ shown: 1, recovered: 1 });
  });

  it("give it away if a speed or a distance is a mean over all trips", () => {
    const [whole] = WHOLES;
    const mean = { ...pair("", 0, "", 0, 0, null), ...whole, speed: 43.8, distance: 11_000 };
    const { speeds, distances } = attackPairs(country, [...FINEST, mean], undefined);
    expect([score(speeds).recovered, score(distances).recovered]).toEqual([1, 1]);
  });
});
