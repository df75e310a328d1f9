import type { Family, Place } from "./family.ts";

const cell = (name: string, km: string, area?: string, region?: string): Place => ({
  name,
  level: 0,
  at: { 1: km, ...(area && { 2: area }), ...(region && { 3: region }) },
});
const SCALE = { k: 3, step: 12, peopleOfDevice: 4 };

const KM_OF_4: Family = {
  name: "km of 4 cells",
  ...SCALE,
  max: 5,
  places: [..."ABCD"].map((name) => cell(name, "K", "X")).concat({ name: "K", level: 1, at: { 2: "X" }, parts: ["A", "B", "C", "D"] }),
};
const KM_OF_2: Family = {
  name: "km of 2 cells, k 5",
  ...{ k: 5, step: 20, peopleOfDevice: 4 },
  max: 12,
  places: [cell("A", "K", "X"), cell("B", "K", "X"), { name: "K", level: 1, at: { 2: "X" }, parts: ["A", "B"] }],
};
const AREA_OF_2_2: Family = {
  name: "area of 2 km of 2 cells",
  ...SCALE,
  max: 4,
  places: [
    ...[cell("A", "K", "X"), cell("B", "K", "X"), cell("C", "L", "X"), cell("D", "L", "X")],
    { name: "K", level: 1, at: { 2: "X" }, parts: ["A", "B"] },
    { name: "L", level: 1, at: { 2: "X" }, parts: ["C", "D"] },
    { name: "X", level: 2, parts: ["K", "L"] },
  ],
};
const AREA_OF_3_KM: Family = {
  name: "area of 3 km, one with 2 cells",
  ...SCALE,
  max: 4,
  places: [
    ...[cell("A", "K", "X"), cell("B", "K", "X"), cell("C", "L", "X"), cell("D", "M", "X")],
    { name: "K", level: 1, at: { 2: "X" }, parts: ["A", "B"] },
    { name: "L", level: 1, at: { 2: "X" }, parts: ["C"] },
    { name: "M", level: 1, at: { 2: "X" }, parts: ["D"] },
    { name: "X", level: 2, parts: ["K", "L", "M"] },
  ],
};
const REGION: Family = {
  name: "region of 2 areas with 3 km",
  ...SCALE,
  max: 3,
  places: [
    ...[cell("A", "K", "X", "R"), cell("B", "K", "X", "R"), cell("C", "L", "X", "R"), cell("D", "M", "Y", "R")],
    { name: "K", level: 1, at: { 2: "X", 3: "R" }, parts: ["A", "B"] },
    { name: "L", level: 1, at: { 2: "X", 3: "R" }, parts: ["C"] },
    { name: "M", level: 1, at: { 2: "Y", 3: "R" }, parts: ["D"] },
    { name: "X", level: 2, at: { 3: "R" }, parts: ["K", "L"] },
    { name: "Y", level: 2, at: { 3: "R" }, parts: ["M"] },
    { name: "R", level: 3, parts: ["X", "Y"] },
  ],
};
const STRADDLING: Family = {
  name: "km over 2 areas",
  ...SCALE,
  max: 4,
  places: [
    ...[cell("A", "K", "X"), cell("B", "L", "X"), cell("C", "L", "Y"), cell("D", "M", "Y")],
    { name: "K", level: 1, at: { 2: "X" }, parts: ["A"] },
    { name: "L", level: 1, parts: ["B", "C"] },
    { name: "M", level: 1, at: { 2: "Y" }, parts: ["D"] },
    { name: "X", level: 2, parts: ["K", "B"] },
    { name: "Y", level: 2, parts: ["M", "C"] },
  ],
};
const CELL_DAY: Family = {
  name: "cell, 3 hours and day",
  ...SCALE,
  max: 6,
  hours: 3,
  places: [{ name: "A", level: 0 }],
};
const KM_DAY: Family = {
  name: "km of 2 cells, 2 hours and day",
  ...SCALE,
  max: 3,
  hours: 2,
  places: [cell("A", "K", "X"), cell("B", "K", "X"), { name: "K", level: 1, at: { 2: "X" }, parts: ["A", "B"] }],
};
const STAYS: Family = {
  name: "stays of one cell, k 5",
  ...{ k: 5, step: 20, peopleOfDevice: 4 },
  max: 16,
  stays: 2,
  places: [{ name: "A", level: 0 }],
};

/** The families that the test suite tries. */
export const FAMILIES: readonly Family[] = [
  ...[KM_OF_4, KM_OF_2, AREA_OF_2_2, AREA_OF_3_KM, REGION, STRADDLING, CELL_DAY, KM_DAY, STAYS],
];
