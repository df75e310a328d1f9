import { describe, expect, it } from "vitest";
import { publishDay, publishHour } from "../area-rule.ts";
import { type AreaRules, type Break, hasHours } from "../area-rules.ts";
import { boundsOf, partsOf } from "../bounds.ts";
import { openSolver } from "../solver.ts";
import { publishStays } from "../stays-rule.ts";
import { countsOf, place, placesOfTest, upTo } from "../testing/small-worlds.ts";
import { scoreSets } from "../verdicts.ts";
import { averagedAuc } from "./averages.ts";
import { attackDay, attackTick, attackTickOfDay } from "./hours.ts";
import { attackJunction, drawnJunctions } from "./junctions.ts";
import { attackLevels } from "./levels.ts";
import { attackOverlaps } from "./overlaps.ts";
import { attackOtherHours, hoursOfCount, openStaysAttack } from "./stays.ts";
import { attackCorrection, attackVersions } from "./versions.ts";
import { attackShare } from "./withheld-share.ts";

const RULES: AreaRules = { k: 5, step: 20, peoplePerDevice: 4, finestLevel: 0, isProtected: false, isStrict: false };
const broken = (...breaks: Break[]): AreaRules => ({ ...RULES, broken: new Set(breaks) });
const ROUNDING_ONLY = broken("noTakeOut", "noSnap");

/** A km of two cells. */
const KM = placesOfTest(place("1/0", 1, [undefined, "1/0"], 2), place("0/A", 0, ["0/A", "1/0"]), place("0/B", 0, ["0/B", "1/0"]));

/** Attacks the levels of a bucket with these devices, published by these rules. */
function levels(devices: Readonly<Record<string, number>>, rules: AreaRules, places = KM) {
  const truth = countsOf(devices, rules);
  const numbers = new Map(
    [...publishHour(places, rules, truth)].flatMap(([id, { number }]) =>
      number > 0 && hasHours(places.get(id)?.level, rules) ? [[id, number] as const] : [],
    ),
  );
  return { places, rules, truth, worlds: [], bounds: boundsOf(places, partsOf(places), rules, numbers) };
}

describe("levels", () => {
  const planted = { "0/A": 12, "0/B": 1, "1/0": 13 };

  it("give a hidden cell away where numbers are only rounded, and not by the rule", () => {
    expect(scoreSets(attackLevels(levels(planted, ROUNDING_ONLY)), 5)).toMatchObject({ recovered: 2, wrong: 0 });
    expect(scoreSets(attackLevels(levels(planted, RULES)), 5)).toMatchObject({ recovered: 0, shown: 0, wrong: 0 });
  });

  it("count what lies outside of every bound as wrong", () => {
    const { bounds, ...bucket } = levels(planted, ROUNDING_ONLY);
    const other = { ...bucket, bounds, truth: countsOf({ "0/A": 12, "0/B": 30, "1/0": 30 }, RULES) };
    expect(scoreSets(attackLevels(other), 5).wrong).toBeGreaterThan(0);
  });

  it("of a strict country are attacked without hours of cells: the bounds hold in every small world, and show nothing of a cell", () => {
    const rules = { ...RULES, k: 3, step: 24, isStrict: true };
    const cells = ["0/A", "0/B", "0/C", "0/D"];
    const km = (id: string, from: number) => [
      place(id, 1, [undefined, id, "2/0"], 2),
      ...cells.slice(from, from + 2).map((cell) => place(cell, 0, [cell, id, "2/0"])),
    ];
    const places = placesOfTest(place("2/0", 2, [undefined, undefined, "2/0"], 2), ...km("1/0", 0), ...km("1/1", 2));
    const few = [0, 1, 2, 3, 5, 8];
    const worlds = few.flatMap((a) =>
      few.flatMap((b) =>
        few.flatMap((c) =>
          [0, 2, 4].flatMap((d) => [
            { "0/A": a, "0/B": b, "0/C": c, "0/D": d, "1/0": a + b, "1/1": c + d, "2/0": a + b + c + d },
            { "0/A": a, "0/B": b, "0/C": c, "0/D": d, "1/0": Math.max(a, b), "1/1": c + d, "2/0": Math.max(a, b) + c + d },
            { "0/A": a, "0/B": b, "0/C": c, "0/D": d, "1/0": a + b, "1/1": Math.max(c, d), "2/0": Math.max(a + b, c, d) },
          ]),
        ),
      ),
    );
    const sets = worlds.flatMap((devices) => attackLevels(levels(devices, rules, places)));
    expect(scoreSets(sets, 3)).toMatchObject({ recovered: 0, wrong: 0 });
    expect(
      scoreSets(
        sets.filter(({ rows }) => rows.some((id) => cells.includes(id))),
        3,
      ),
    ).toMatchObject({ shown: 0 });
    expect(scoreSets(sets, 3).considered).toBeGreaterThan(1000);
  });

  it("give withheld areas away if a place without parts counts as room, which only the solver sees", async () => {
    // Two areas with cells; in the region's third and fourth area nobody can be.
    const places = (parts: number) =>
      placesOfTest(
        place("3/1", 3, [undefined, undefined, undefined, "3/1"], parts),
        ...["2/1", "2/2"].map((id) => place(id, 2, [undefined, undefined, id, "3/1"], id === "2/1" ? 3 : 1)),
        ...["2/3", "2/4"].map((id) => place(id, 2, [undefined, undefined, id, "3/1"], 0)),
        ...[1, 2, 3].map((index) => place(`1/${index}`, 1, [undefined, `1/${index}`, "2/1", "3/1"])),
        place("1/5", 1, [undefined, "1/5", "2/2", "3/1"]),
      );
    const devices = { "1/1": 40, "1/2": 41, "1/3": 3, "2/1": 84, "1/5": 4, "2/2": 4, "3/1": 88 };
    const rules = { ...RULES, finestLevel: 1 };
    const solver = await openSolver();
    const withheld = (parts: number) => {
      const { bounds } = levels(devices, rules, places(parts));
      return solver.range(bounds, rules, "3/1", ["2/2"], undefined);
    };
    expect([withheld(4)?.min, withheld(4)?.max, withheld(2)?.min]).toEqual([2, 4, 0]);
  });
});

describe("overlaps", () => {
  it("of two parts are shown where nothing else can be in the whole", () => {
    const overlapping = { "0/A": 13, "0/B": 13, "1/0": 22 };
    const { bounds, truth } = levels(overlapping, RULES);
    expect(scoreSets(attackOverlaps(bounds, RULES, truth), 5)).toMatchObject({ considered: 1, shown: 1, recovered: 0, wrong: 0 });
  });

  it("are not shown where hidden cells may be", () => {
    const wide = new Map([...KM, ["1/0", place("1/0", 1, [undefined, "1/0"], 16)]]);
    for (const index of upTo(13)) wide.set(`0/${index}`, place(`0/${index}`, 0, [`0/${index}`, "1/0"]));
    const { bounds, truth } = levels({ "0/A": 13, "0/B": 13, "1/0": 22 }, RULES, wide);
    expect(scoreSets(attackOverlaps(bounds, RULES, truth), 5)).toMatchObject({ considered: 1, shown: 0, recovered: 0, wrong: 0 });
  });
});

describe("a day less its hours", () => {
  const day = (devices: number, hours: readonly number[], rules: AreaRules) => {
    const cell = placesOfTest(place("0/A", 0, ["0/A"]));
    const buckets = hours.map((count) => levels({ "0/A": count }, rules, cell));
    const rows = hours.map((count) => publishHour(cell, rules, countsOf({ "0/A": count }, rules)));
    const truth = countsOf({ "0/A": devices }, rules);
    const number = publishDay(cell, rules, truth, rows).get("0/A")?.number ?? 0;
    const largestNumber = Math.max(...rows.map((row) => row.get("0/A")?.number ?? 0));
    const known = () => ({ largestNumber, toldMin: 0, busiestMin: 0 });
    const bounds = boundsOf(cell, partsOf(cell), rules, new Map([["0/A", number]]), known);
    return scoreSets(attackDay({ places: cell, rules, bounds, truth, worlds: [] }, buckets), rules.k);
  };

  it("shows who came at other hours where numbers are only rounded, and not by the rule", () => {
    expect(day(13, [12, 6], ROUNDING_ONLY)).toMatchObject({ considered: 1, shown: 1 });
    expect(day(13, [12, 6], RULES)).toMatchObject({ considered: 1, shown: 0, wrong: 0 });
  });
});

describe("stays", () => {
  /** Attacks every row of 5 to 40 devices. */
  const attackAll = (rules: AreaRules) => {
    const attack = openStaysAttack(rules);
    const cell = placesOfTest(place("0/A", 0, ["0/A"]));
    const found = upTo(40, 5).flatMap((devices) => {
      const { bounds } = levels({ "0/A": devices }, rules, cell);
      const bound = bounds.get("0/A");
      return upTo(devices, 5).flatMap((stayed) => {
        const published = publishStays(devices, { devices: stayed, count: stayed + 2, minutes: 0 }, rules);
        const truth = { devices, staysDevices: stayed, staysCount: stayed + 2 };
        return bound ? [attack({ bound, staysDevices: published.devices, staysCount: published.count, truth })] : [];
      });
    });
    return {
      complement: scoreSets(
        found.map(({ complement }) => complement),
        5,
      ),
      second: scoreSets(
        found.map(({ second }) => second),
        5,
      ),
    };
  };

  it("show nobody who did not stay, and no second stay", () => {
    expect(attackAll(RULES)).toMatchObject({
      complement: { considered: 134, shown: 0, wrong: 0 },
      second: { considered: 666, shown: 0, wrong: 0 },
    });
  });

  it("show some where they are not snapped", () => {
    const { complement, second } = attackAll(broken("staysNotSnapped"));
    expect([complement.shown > 0, second.shown > 0, complement.wrong + second.wrong]).toEqual([true, true, 0]);
  });
});

describe("stays of a day and one of its hours", () => {
  /** Attacks every hour of 5 to 14 devices, whose day has a few more that stayed, or the same. */
  const attackAll = (rules: AreaRules) => {
    const attack = openStaysAttack(rules);
    const boundOf = (devices: number) => levels({ "0/A": devices }, rules, placesOfTest(place("0/A", 0, ["0/A"]))).bounds.get("0/A");
    const found = upTo(14, 5).flatMap((devices) => {
      const [ofHour, ofDay] = [boundOf(devices), boundOf(devices + 5)];
      return upTo(devices).flatMap((stayed) =>
        upTo(2).flatMap((more) => {
          const hour = publishStays(devices, { devices: stayed, count: stayed, minutes: 0 }, rules);
          const others = Array.from({ length: 23 }, () => 0);
          const hours = { devices: hoursOfCount([hour.devices, ...others]), count: hoursOfCount([hour.count, ...others]) };
          const day = publishStays(devices + 5, { devices: stayed + more, count: stayed + more, minutes: 0 }, rules, hours);
          if (!ofHour || !ofDay) return [];
          const [inDay, inHour] = [
            { devices: devices + 5, staysDevices: stayed + more, staysCount: stayed + more },
            { devices, staysDevices: stayed, staysCount: stayed },
          ];
          const own = attack({ bound: ofDay, staysDevices: day.devices, staysCount: day.count, hours, truth: inDay });
          const most = own.few.max;
          const attacked = attack({ bound: ofHour, staysDevices: hour.devices, staysCount: hour.count, most, truth: inHour });
          return [{ ...attacked, other: attackOtherHours(own, attacked) }];
        }),
      );
    });
    return {
      complement: scoreSets(
        found.map(({ complement }) => complement),
        5,
      ),
      other: scoreSets(
        found.map(({ other }) => other),
        5,
      ),
    };
  };

  it("recover nobody who did not stay in the hour, or stayed at other hours only", () => {
    expect(attackAll(RULES)).toMatchObject({ complement: { recovered: 0, wrong: 0 }, other: { recovered: 0, wrong: 0 } });
  });

  it("recover some where a day's stays are decided without its hours", () => {
    const { complement, other } = attackAll(broken("staysWithoutHours"));
    expect([complement.recovered > 0, complement.wrong + other.wrong]).toEqual([true, 0]);
  });
});

describe("ticks and versions", () => {
  it("an hour less a tick shows a difference across a border of two steps, and recovers nothing", () => {
    const all = upTo(4, 1).flatMap((more) =>
      upTo(30, 5).map((tick) => {
        const number = (devices: number) => levels({ "0/A": devices, "1/0": devices }, RULES).bounds.get("0/A")?.number ?? 0;
        return attackTick({ tick: number(tick), hour: number(tick + more), truth: { tick, hour: tick + more } }, RULES);
      }),
    );
    const { considered, shown, recovered, wrong } = scoreSets(all, 5);
    expect([considered, shown / considered < 0.65, shown > 0, recovered, wrong]).toEqual([104, true, true, 0, 0]);
  });

  it("a day less a tick shows a difference across a border of two steps, and recovers nothing", () => {
    const tick = { tick: 20, truth: { tick: 7, day: 9 } };
    expect([20, 40].map((day) => attackTickOfDay({ ...tick, day }, RULES).min)).toEqual([0, 1]);
    expect(scoreSets([attackTickOfDay({ ...tick, day: 40 }, RULES)], 5)).toMatchObject({ shown: 1, recovered: 0, wrong: 0 });
  });

  it("a correction by fewer than k devices changes nothing where the row is told", () => {
    const counts = countsOf({ "0/A": 12, "0/B": 7, "1/0": 17 }, RULES);
    expect(attackCorrection(KM, RULES, counts, { id: "0/A", devices: 4 })).toMatchObject({ min: 0, isRefuted: true });
  });

  it("recovers a change between versions of exact numbers", () => {
    const exact = { ...RULES, k: 5, step: 1, peoplePerDevice: 1 };
    expect(attackVersions(new Map([["a", { number: 12 }]]), new Map([["a", { number: 14 }]]), exact, 2)).toMatchObject({ min: 1, max: 3 });
    expect(attackVersions(new Map([["a", { number: 40 }]]), new Map([["a", { number: 60 }]]), RULES, 2)).toMatchObject({ min: 1, max: 9 });
  });
});

describe("averages over 14 days", () => {
  const auc = (rules: AreaRules, alsoInTold: number): number => averagedAuc(rules, { days: 14, alsoInTold, trials: 30, seed: 1 });

  it("find a hidden pair where numbers are only rounded, and one that is in told cells half of the time", () => {
    expect([auc(ROUNDING_ONLY, 0.1) > 0.9, auc(RULES, 0.5) > 0.75]).toEqual([true, true]);
  });

  it("do not find one that is in told cells a tenth of the time", () => {
    expect(auc(RULES, 0.1)).toBeLessThan(0.65);
  });
});

it("conserved flow shows withheld arms, for whoever knows that nobody stops", () => {
  const { considered, shown, wrong } = scoreSets(
    drawnJunctions(RULES, 400, 1).map((junction) => attackJunction(junction, RULES)),
    5,
  );
  expect([considered, shown > 100, shown / considered < 0.65, wrong]).toEqual([400, true, true, 0]);
});

describe("the withheld share", () => {
  it.each([
    [{ percent: null, publishedRows: 20 }, 60, 0],
    [{ percent: 3, publishedRows: 20 }, 60, 1],
    [{ percent: 3, publishedRows: 2000 }, 2060, 0],
  ])("%j of at most 60 more rows names few: %j", (share, rows, found) => {
    expect(scoreSets([attackShare(share, 4000, rows - 20 < 50 ? rows - 11 : rows, undefined, RULES)], 5).recovered).toBe(found);
  });
});
