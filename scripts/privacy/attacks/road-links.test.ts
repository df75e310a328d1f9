import { describe, expect, it } from "vitest";
import { type AreaRules, nearest, peopleOf } from "../area-rules.ts";
import type { Country, PublishedPair, RawPair } from "../dataset.ts";
import { LINKS, linkEnd, placeId } from "../places.ts";
import { scoreSets } from "../verdicts.ts";
import { attackLinks } from "./road-links.ts";

const RULES: AreaRules = { k: 5, step: 20, peoplePerDevice: 4, finestLevel: 0, isProtected: false, isStrict: false };
const CELL = "grid_250m";
/** Two cells, of whose road links 1 to 3 are in the first, and 4 and 5 in the second. Nothing is known of the links of the third. */
const [HOME, TOWN, FAR] = [100, 200, 300];

type End = readonly [type: string, id: number];
const cell = (id: number): End => [CELL, id];
const link = (id: number): End => [LINKS, id];

function countryWith(cells: Readonly<Record<number, readonly number[]>>): Country {
  const placesOfLinks = new Map(Object.entries(cells).map(([id, own]) => [linkEnd(Number(id)), own.map((place) => placeId(0, place))]));
  return {
    ...{ code: "XXX", activities: RULES, places: new Map(), pairs: RULES, placesOfPairs: new Map() },
    ...{ placesOfLinks, centroids: new Map() },
  };
}

const country = countryWith({ 1: [HOME], 2: [HOME], 3: [HOME], 4: [TOWN], 5: [TOWN] });
const twoLinks = countryWith({ 1: [HOME], 2: [HOME], 4: [TOWN], 5: [TOWN] });

function delivered([originType, originId]: End, [destinationType, destinationId]: End, devices: number): RawPair {
  return { originType, originId, destinationType, destinationId, trips: peopleOf(devices, RULES), speed: null, devices };
}

/** Publishes pairs by the rule: from k devices, to the nearest step. */
function published(pairs: readonly RawPair[]): PublishedPair[] {
  return pairs.flatMap(({ devices, ...pair }) =>
    devices < RULES.k ? [] : [{ ...pair, trips: Math.max(RULES.step, nearest(pair.trips, RULES.step)), distance: null }],
  );
}

function score(place: Country, pairs: readonly RawPair[], raw: readonly RawPair[] | undefined) {
  const { pairs: single, together } = attackLinks(place, published(pairs), raw);
  return { single: scoreSets(single, RULES.k), together: scoreSets(together, RULES.k) };
}

const NOTHING = { considered: 0, shown: 0, recovered: 0, open: 0, wrong: 0 };

describe("trips of road links beside those of their cells", () => {
  it.each([
    ["start", [delivered(link(1), cell(FAR), 12), delivered(link(2), cell(FAR), 3), delivered(cell(HOME), cell(FAR), 15)]],
    ["end", [delivered(cell(FAR), link(4), 12), delivered(cell(FAR), link(5), 3), delivered(cell(FAR), cell(TOWN), 15)]],
    ["start, at a link", [delivered(link(1), link(9), 12), delivered(link(2), link(9), 3), delivered(cell(HOME), link(9), 15)]],
    [
      "start and end",
      [
        ...[delivered(link(1), link(4), 7), delivered(link(1), link(5), 7), delivered(link(2), link(4), 7)],
        ...[delivered(link(2), link(5), 2), delivered(cell(HOME), cell(TOWN), 23)],
      ],
    ],
  ])("tell of the only withheld link where they %s", (_, pairs) => {
    for (const raw of [pairs, undefined])
      expect(score(twoLinks, pairs, raw)).toEqual({ single: { ...NOTHING, considered: 1, shown: 1, recovered: 1 }, together: NOTHING });
  });

  it("tell nothing if told links can have them all", () => {
    const pairs = [delivered(link(1), cell(FAR), 10), delivered(link(2), cell(FAR), 2), delivered(cell(HOME), cell(FAR), 12)];
    expect(score(twoLinks, pairs, pairs).single).toEqual({ ...NOTHING, considered: 1 });
  });

  it("show that somebody is on one of two withheld links, and on each if they are more than one can hide", () => {
    const [told, whole] = [delivered(link(1), cell(FAR), 12), (devices: number) => delivered(cell(HOME), cell(FAR), devices)];
    const few = [told, delivered(link(2), cell(FAR), 2), delivered(link(3), cell(FAR), 1), whole(15)];
    expect(score(country, few, few)).toEqual({
      single: { ...NOTHING, considered: 2 },
      together: { ...NOTHING, considered: 1, shown: 1 },
    });
    const many = [told, delivered(link(2), cell(FAR), 4), delivered(link(3), cell(FAR), 4), whole(20)];
    expect(score(country, many, many).single).toEqual({ ...NOTHING, considered: 2, shown: 2, recovered: 2 });
  });

  it("have no upper bound of a link that passes another cell, too", () => {
    const pairs = published([delivered(link(1), cell(FAR), 12), delivered(cell(HOME), cell(FAR), 12)]);
    const maxOf = (place: Country) => attackLinks(place, pairs, undefined).together.map(({ max }) => max);
    expect([maxOf(country), maxOf(countryWith({ 1: [HOME, TOWN], 2: [HOME], 3: [HOME] }))]).toEqual([[4], [8]]);
  });

  it("mislead where the provider's links and cells are not the same trips, which counts as nothing", () => {
    const more = [delivered(link(1), cell(FAR), 30), delivered(link(2), cell(FAR), 3), delivered(cell(HOME), cell(FAR), 15)];
    expect(score(twoLinks, more, more).single).toEqual({ ...NOTHING, considered: 1 });
    const fewer = [delivered(link(1), cell(FAR), 12), delivered(link(2), cell(FAR), 3), delivered(cell(HOME), cell(FAR), 40)];
    expect(score(twoLinks, fewer, fewer).single).toEqual({ ...NOTHING, considered: 1 });
  });

  it("are not attacked where no pair of links is told, or the matrix has none beside cells", () => {
    const pairs = [delivered(link(2), cell(FAR), 3), delivered(cell(HOME), cell(FAR), 15)];
    expect(score(twoLinks, pairs, undefined)).toEqual({ single: NOTHING, together: NOTHING });
    expect(score({ ...country, placesOfLinks: new Map() }, pairs, pairs)).toEqual({ single: NOTHING, together: NOTHING });
  });
});
