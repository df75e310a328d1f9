import { describe, expect, it } from "vitest";
import { hiddenUntilDelivered, replaceRows, type Snapshot, shownRows, TIMESTAMP_MAX } from "./snapshot.ts";

const at = (minutes: number): Date => new Date(Date.UTC(2026, 0, 15, 12, minutes));
const row = (targetId: string, minutes: number) => ({
  ...{ targetId, targetName: targetId, timestamp: at(minutes), peopleCount: minutes, result: "SUCCESS" as const },
});
const NOBODY = { delivered: new Set<string>(), now: at(0) };
const of = (minutes: number, hidden: Snapshot["hidden"] = {}): Snapshot => ({
  tick: at(minutes),
  rows: [row("m", minutes), row("n", minutes)],
  measured: {},
  hidden,
});
const ids = (snapshot: Snapshot | undefined) => snapshot && shownRows(snapshot).map(({ targetId }) => targetId);

describe("a snapshot", () => {
  it("takes only rows of a newer tick", () => {
    const replaced = [4, 5, 6].map((minutes) => replaceRows(of(5), at(minutes), [row("m", minutes)], NOBODY)?.rows[0]?.peopleCount);
    expect(replaced).toEqual([undefined, undefined, 6]);
    expect(replaceRows({ tick: undefined, rows: [], measured: {}, hidden: {} }, at(1), [row("m", 1)], NOBODY)?.tick).toEqual(at(1));
  });

  it("shows a switched-on map from the first tick after the switch", () => {
    const switchedOn = { m: at(7) };
    expect(ids(of(5, switchedOn))).toEqual(["n"]);
    expect(ids(replaceRows(of(5, switchedOn), at(6), [row("m", 6)], NOBODY))).toEqual([]);
    expect(replaceRows(of(5, switchedOn), at(7), [row("m", 7)], NOBODY)).toEqual({
      tick: at(7),
      rows: [row("m", 7)],
      measured: {},
      hidden: {},
    });
  });

  it("hides a switched-off map until delivery, even after a tick without a row of it", () => {
    const off = { m: TIMESTAMP_MAX };
    const without = replaceRows(of(5, off), at(10), [row("n", 10)], NOBODY);
    if (!without) throw new Error("the tick is newer");
    expect(hiddenUntilDelivered(without)).toEqual(["m"]);
    expect(ids(replaceRows(without, at(15), [row("m", 15), row("n", 15)], NOBODY))).toEqual(["n"]);
  });

  it("hides it from ticks that began before the observed delivery, and drops the entry after them", () => {
    const delivered = { delivered: new Set(["m"]), now: at(12) };
    const seen = replaceRows(of(5, { m: TIMESTAMP_MAX }), at(10), [row("n", 10)], delivered);
    if (!seen) throw new Error("the tick is newer");
    expect(seen.hidden).toEqual({ m: at(22) });
    expect(ids(replaceRows(seen, at(15), [row("m", 15)], NOBODY))).toEqual([]);
    expect(replaceRows(seen, at(25), [row("n", 25)], NOBODY)?.hidden).toEqual({});
  });
});

describe("a map measured by itself", () => {
  const measured = (targetId: string, minutes: number) => ({ ...row(targetId, minutes), tick: at(minutes) });
  const withMeasured = (snapshot: Snapshot, ...rows: ReturnType<typeof measured>[]): Snapshot => ({
    ...snapshot,
    measured: Object.fromEntries(rows.map((one) => [one.targetId, one])),
  });
  const counts = (snapshot: Snapshot | undefined) =>
    snapshot && shownRows(snapshot).map(({ targetId, peopleCount }) => [targetId, peopleCount]);
  const EMPTY: Snapshot = { tick: undefined, rows: [], measured: {}, hidden: {} };

  it("is shown at once, in the order of names, also before the first tick", () => {
    const enabled = { ...of(5), hidden: { k: at(7) } };
    expect(counts(withMeasured(enabled, measured("k", 7)))).toEqual([
      ["k", 7],
      ["m", 5],
      ["n", 5],
    ]);
    expect(counts(withMeasured(EMPTY, measured("k", 7)))).toEqual([["k", 7]]);
  });

  it("replaces its row of an earlier tick, and is replaced by that of a later one", () => {
    const changed = withMeasured(of(5), measured("m", 7));
    expect(counts(changed)).toEqual([
      ["m", 7],
      ["n", 5],
    ]);
    const next = replaceRows(changed, at(10), [row("m", 10)], NOBODY);
    expect(counts(next)).toEqual([["m", 10]]);
    expect(next?.measured).toEqual({});
    expect(counts(withMeasured(of(10), measured("m", 7)))).toEqual(counts(of(10)));
  });

  it("stays shown if a later tick began before the warehouse knew it", () => {
    const next = replaceRows(withMeasured(of(5), measured("k", 7)), at(8), [row("m", 8)], NOBODY);
    expect(ids(next)).toEqual(["k", "m"]);
    expect(next && ids(replaceRows(next, at(10), [row("k", 10)], NOBODY))).toEqual(["k"]);
  });

  it("is hidden once it is switched off, for good", () => {
    const off = { ...withMeasured(of(5), measured("k", 7)), hidden: { k: TIMESTAMP_MAX } };
    expect(ids(off)).toEqual(["m", "n"]);
    const delivered = { delivered: new Set(["k"]), now: at(8) };
    const next = replaceRows(off, at(10), [row("m", 10)], delivered);
    expect(next?.measured).toEqual({});
    expect(ids({ ...withMeasured(of(5), measured("k", 7)), hidden: { k: at(9) } })).toEqual(["m", "n"]);
  });

  it("that was switched off before a tick stays hidden though the tick forgets the switch", () => {
    const switchedOnAgain = { ...withMeasured(of(5), measured("k", 7)), hidden: { k: at(9) } };
    expect(ids(replaceRows(switchedOnAgain, at(10), [row("m", 10)], NOBODY))).toEqual(["m"]);
  });
});
