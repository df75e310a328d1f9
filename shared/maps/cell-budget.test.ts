import { describe, expect, it } from "vitest";
import { CELLS_MIN, cellChange, changedUse, isSameShape, WRITES_PER_HOUR, withGeometryChange } from "./cell-budget.ts";

const NOW = new Date("2026-03-01T12:40:00Z");
const SQUARE = { type: "custom_polygon", geometry: "POLYGON((0 0, 1 0, 1 1, 0 0))", ids: null, countryCode: null };
const OTHER = { ...SQUARE, geometry: "POLYGON((0 0, 2 0, 2 2, 0 0))" };
const TOWNS = { type: "admin_level_2", geometry: null, ids: [784, 198], countryCode: "EST" };
const monitored = { ...SQUARE, isMonitored: true, monitoredCells: 100 };
const unmonitored = { ...SQUARE, isMonitored: false };
const unused = { monitoredCells: 0, cellsWritten: undefined };

describe("a change of a map", () => {
  it.each([
    ["switched on", unmonitored, { ...unmonitored, isMonitored: true }, { ...SQUARE, cells: 100 }, 100, 164],
    ["renamed", monitored, monitored, undefined, 0, 64],
    ["of another shape", monitored, { ...monitored, ...OTHER }, { ...OTHER, cells: 130 }, 30, 194],
    ["of a smaller shape", monitored, { ...monitored, ...OTHER }, { ...OTHER, cells: 10 }, -90, 74],
    ["counted again in its shape", monitored, monitored, { ...SQUARE, cells: 120 }, 20, 64],
    ["renamed, with ids", { ...TOWNS, isMonitored: true, monitoredCells: 2 }, { ...TOWNS, isMonitored: true }, undefined, 0, 66],
  ])("that is %s adds its cells to what is monitored, and to what is written only if they are new", (...row) => {
    const [, before, after, counted, added, written] = row;
    expect(cellChange(before, after, counted)).toEqual({ monitored: added, written, refusable: true });
  });

  it.each([
    ["switched off", { ...monitored, isMonitored: false }],
    ["deleted", undefined],
  ])("that is %s gives its cells back and is never refused", (_what, after) => {
    const change = cellChange(monitored, after, undefined);
    expect(change).toEqual({ monitored: -100, written: 64, refusable: false });
    expect(changedUse({ monitoredCells: 900, cellsWritten: { hour: "2026-03-01T12", count: 9999 } }, change, 10, NOW)).toEqual({
      monitoredCells: 800,
      cellsWritten: { hour: "2026-03-01T12", count: 9999 + 64 },
    });
  });

  it.each([
    ["that was not counted", unmonitored, { ...unmonitored, isMonitored: true }, undefined],
    ["whose shape another request has changed", unmonitored, { ...OTHER, isMonitored: true }, { ...SQUARE, cells: 100 }],
    ["that another request has switched on", monitored, { ...monitored, ...OTHER }, undefined],
  ])("%s is a conflict", (_what, before, after, counted) => {
    expect(() => cellChange(before, after, counted)).toThrow(expect.objectContaining({ code: "conflict" }));
  });
});

describe("the budget of a customer", () => {
  const adding = (monitoredCells: number, written = monitoredCells) => ({ monitored: monitoredCells, written, refusable: true });

  it("takes the last cell, and not one more", () => {
    expect(changedUse({ ...unused, monitoredCells: 400 }, adding(100), 500, NOW)).toMatchObject({ monitoredCells: 500 });
    expect(changedUse({ ...unused, monitoredCells: 400 }, adding(101), 500, NOW)).toEqual({
      ...{ limit: "monitoredCells", most: 500, wanted: 501, retryAfterSeconds: 3600 },
    });
  });

  it("does not refuse a change that needs no more cells, though the operator has lowered it", () => {
    expect(changedUse({ ...unused, monitoredCells: 900 }, adding(0, 64), 500, NOW)).toMatchObject({ monitoredCells: 900 });
    expect(changedUse({ ...unused, monitoredCells: 900 }, adding(-10, 164), 500, NOW)).toMatchObject({ monitoredCells: 890 });
  });

  it("is written twice an hour, and tells when the next hour begins", () => {
    const most = 500;
    const before = { monitoredCells: 0, cellsWritten: { hour: "2026-03-01T12", count: WRITES_PER_HOUR * most - 100 } };
    expect(changedUse(before, adding(0, 100), most, NOW)).toMatchObject({ cellsWritten: { count: 1000 } });
    expect(changedUse(before, adding(0, 101), most, NOW)).toEqual({
      ...{ limit: "cellsWritten", most: 1000, wanted: 1001, retryAfterSeconds: 20 * 60 },
    });
    const later = new Date("2026-03-01T13:00:00Z");
    expect(changedUse(before, adding(0, 101), most, later)).toMatchObject({ cellsWritten: { hour: "2026-03-01T13", count: 101 } });
  });
});

describe("a budget that is smaller than one change", () => {
  const version = { monitored: 1, written: 65, refusable: true };

  it("says so, also when nothing was written: the next hour does not help", () => {
    expect(changedUse(unused, version, 32, NOW)).toEqual({
      ...{ limit: "cellsOfOneChange", most: 64, wanted: 65, retryAfterSeconds: 3600 },
    });
    expect(CELLS_MIN).toBe(33);
    expect(changedUse(unused, version, CELLS_MIN, NOW)).toMatchObject({ monitoredCells: 1 });
  });

  it("does not keep maps from being switched off", () => {
    expect(changedUse({ ...unused, monitoredCells: 1 }, { monitored: -1, written: 64, refusable: false }, 10, NOW)).toMatchObject({
      monitoredCells: 0,
    });
  });
});

describe("the geometry of a map", () => {
  const minutesAgo = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);

  it("is changed sixty times within an hour, and the next time when the first is an hour ago", () => {
    const changes = Array.from({ length: 60 }, (_, index) => minutesAgo(59.5 - index / 2));
    expect(withGeometryChange(changes.slice(0, 59), NOW)).toHaveLength(60);
    expect(withGeometryChange(changes, NOW)).toBe(30);
    expect(withGeometryChange([minutesAgo(60), ...changes.slice(0, 59)], NOW)).toEqual([...changes.slice(0, 59), NOW]);
  });

  it("is the same with the same ids in the same order", () => {
    expect(isSameShape(TOWNS, { ...TOWNS, ids: [784, 198] })).toBe(true);
    for (const other of [
      { ids: [784] },
      { ids: [784, 198, 296] },
      { ids: null },
      { ids: [198, 784] },
      { countryCode: "LAT" },
      { type: "admin_level_4" },
    ])
      expect(isSameShape(TOWNS, { ...TOWNS, ...other })).toBe(false);
    expect(isSameShape({ ...TOWNS, ids: [784] }, TOWNS)).toBe(false);
    expect(isSameShape(SQUARE, OTHER)).toBe(false);
  });
});
