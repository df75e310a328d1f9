import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FAMILIES } from "./families.ts";
import { MUTANTS, mutate } from "./mutants.ts";
import { type Found, startWorlds, type Worlds } from "./try-worlds.ts";

/** How many worlds a family has, and of the sets of 1 to k - 1 devices of each kind how many there are and how many are shown. */
const LIMITS: Readonly<Record<string, readonly [worlds: number, shown: Readonly<Record<string, readonly [sets: number, shown: number]>>]>> =
  {
    "km of 4 cells": [3479, { told: [0, 0], hidden: [5351, 0], group: [914, 0], level: [1960, 0] }],
    "km of 2 cells": [819, { told: [0, 0], hidden: [358, 0], group: [21, 0], level: [568, 38], overlap: [256, 130] }],
    "km of 3 cells and a lake": [475, { told: [0, 0], hidden: [567, 63], group: [90, 0], level: [276, 0] }],
    "area of 2 km of 2 cells": [12309, { told: [0, 0], hidden: [19854, 0], group: [3368, 0], level: [29002, 72], overlap: [7570, 6332] }],
    "area of 3 km, one of 2 cells": [
      6427,
      { told: [0, 0], hidden: [15074, 0], group: [1832, 0], level: [10770, 124], overlap: [1000, 875] },
    ],
    "region of 2 areas with 3 km": [
      11343,
      { told: [0, 0], hidden: [29414, 0], group: [3975, 0], level: [39355, 76], overlap: [7024, 5894] },
    ],
    "km over 2 areas": [8272, { told: [0, 0], hidden: [20402, 0], group: [1514, 0], level: [14126, 0], overlap: [2920, 2540] }],
    "region of km": [1785, { told: [0, 0], hidden: [3672, 0], group: [421, 0], level: [3386, 2], overlap: [618, 560] }],
    // An area of few devices that the nesting gives a told km is told with the number of this km: what else is told does not fit into the region.
    "km on a border": [4646, { told: [448, 448], hidden: [5577, 0], group: [585, 0], level: [5748, 3], overlap: [855, 167] }],
    "cell, 3 hours and day": [3088, { told: [0, 0], hidden: [1812, 0], "day less hour": [1485, 138] }],
    "km of 2 cells, 2 hours and day": [
      12954,
      { told: [0, 0], hidden: [33326, 0], group: [1825, 0], level: [23232, 904], overlap: [6592, 5273], "day less hour": [23232, 1196] },
    ],
    "stays of a cell": [1140, { told: [0, 0], hidden: [34, 0], stayed: [182, 0], "did not stay": [494, 0], "second stays": [494, 0] }],
    "stays of a cell, 2 hours and day": [
      18746,
      {
        ...{ told: [0, 0], hidden: [1550, 0], "day less hour": [13950, 870], stayed: [11933, 0], "did not stay": [20974, 470] },
        ...{ "second stays": [7280, 129], "stayed at other hours": [15320, 1700] },
      },
    ],
    "strict: stays of a cell, 2 hours and day": [
      37682,
      {
        ...{ told: [0, 0], hidden: [1972, 0], "day less hour": [0, 0], stayed: [2856, 0], "did not stay": [11769, 181] },
        ...{ "second stays": [15204, 0], "stayed at other hours": [0, 0] },
      },
    ],
    "strict: stays of a km of 2 cells, 2 hours and day": [
      64548,
      {
        ...{ told: [0, 0], hidden: [20662, 0], group: [2209, 0], level: [7118, 0], overlap: [0, 0], "day less hour": [18012, 129] },
        ...{ stayed: [17748, 0], "did not stay": [27309, 374], "second stays": [16296, 9], "stayed at other hours": [0, 0] },
      },
    ],
    "unequal km of 4 cells": [38416, { told: [0, 0], hidden: [21966, 0], group: [4040, 0], level: [396, 0] }],
    "unequal km with room": [3375, { told: [0, 0], hidden: [6750, 0], group: [1125, 0], level: [0, 0] }],
    "unequal area": [38416, { told: [0, 0], hidden: [27580, 0], group: [6476, 0], level: [8273, 0], overlap: [0, 0] }],
    "unequal cell, 4 hours and day": [38416, { told: [0, 0], hidden: [21966, 0], "day less hour": [396, 0] }],
    "unequal km of 2 cells, 2 hours and day": [
      38416,
      { told: [0, 0], hidden: [25886, 0], group: [1974, 0], level: [19118, 0], overlap: [0, 0], "day less hour": [19118, 0] },
    ],
  };

/**
 * What `infra/warehouse/privacy.md` states: a cell in which nobody can be counts as a place to hide in, if geographies have it; and in a day of two
 * hours each hour hides fewer than k who did not stay, the day more.
 */
const RECOVERED = [
  { family: "km of 3 cells and a lake", kind: "hidden", recovered: 63 },
  { family: "stays of a cell, 2 hours and day", kind: "did not stay", recovered: 204 },
];

let worlds: Worlds;
let found: readonly Found[];

beforeAll(async () => {
  worlds = await startWorlds(FAMILIES.suite);
  found = await worlds.attack();
});

afterAll(() => worlds.close());

describe("in every small world, one who knows all rules and sees all that is published", () => {
  it("recovers no set of 1 to k - 1 devices, with two exceptions", () => {
    expect(found.filter(({ recovered }) => recovered > 0)).toEqual(RECOVERED.map((exception) => expect.objectContaining(exception)));
  });

  it.each(FAMILIES.suite)("learns that no set is empty only where the limits say so: $name", ({ name }) => {
    const of = found.filter(({ family }) => family === name);
    const shown = Object.fromEntries(of.map(({ kind, sets, shown: some }) => [kind, [sets, some]]));
    expect([worlds.counts[name], shown]).toEqual(LIMITS[name]);
  });
});

describe("a broken rule is told by small worlds", () => {
  it.each(MUTANTS)("$name", async (mutant) => {
    const broken = await worlds.attack(mutant.family, (sql) => mutate(sql, mutant));
    const limits = LIMITS[mutant.family]?.[1] ?? {};
    const tells = {
      recovered: broken.some(({ recovered }) => recovered > 0),
      told: broken.some(({ kind, sets }) => kind === "told" && sets > 0),
      shown: broken.some(({ kind, shown }) => shown > (limits[kind]?.[1] ?? 0)),
    };
    expect(tells[mutant.tells]).toBe(true);
  });

  it("and one whose text is not in the query is an error", () => {
    const [mutant] = MUTANTS;
    expect(() => mutant && mutate("SELECT 1", mutant)).toThrow("threshold off by one");
  });
});
