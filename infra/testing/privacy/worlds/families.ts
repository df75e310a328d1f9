import type { Family, Place } from "./family.ts";

const K3 = { k: 3, step: 12, peopleOfDevice: 4 };
const K4 = { k: 4, step: 4, peopleOfDevice: 1 };
const K5 = { k: 5, step: 20, peopleOfDevice: 4 };

/** Cells of a km, and the km. */
function km(name: string, cells: string, at: NonNullable<Place["at"]>): Place[] {
  const parts = [...cells];
  return [...parts.map((cell): Place => ({ name: cell, level: 0, at: { 1: name, ...at } })), { name, level: 1, at, parts }];
}

const KM_OF_2 = km("K", "AB", { 2: "X" });
const KM_OF_4 = km("K", "ABCD", { 2: "X" });
/** The nesting gives the km a fourth cell, in which nobody can be. */
const KM_WITH_LAKE = km("K", "ABC", { 2: "X" }).map((place): Place => (place.level === 1 ? { ...place, empty: 1 } : place));
const AREA_OF_2_2 = finestFirst([...km("K", "AB", { 2: "X" }), ...km("L", "CD", { 2: "X" }), { name: "X", level: 2, parts: ["K", "L"] }]);
const AREA_OF_3_2 = finestFirst([...km("K", "ABC", { 2: "X" }), ...km("L", "DE", { 2: "X" }), { name: "X", level: 2, parts: ["K", "L"] }]);
const AREA_OF_3_KM = finestFirst([
  ...[...km("K", "AB", { 2: "X" }), ...km("L", "C", { 2: "X" }), ...km("M", "D", { 2: "X" })],
  { name: "X", level: 2, parts: ["K", "L", "M"] },
]);
const REGION = finestFirst([
  ...[...km("K", "AB", { 2: "X", 3: "R" }), ...km("L", "C", { 2: "X", 3: "R" }), ...km("M", "D", { 2: "Y", 3: "R" })],
  { name: "X", level: 2, at: { 3: "R" }, parts: ["K", "L"] },
  { name: "Y", level: 2, at: { 3: "R" }, parts: ["M"] },
  { name: "R", level: 3, parts: ["X", "Y"] },
]);
/** The middle km has cells in both areas, and 14 cells with nobody. */
const STRADDLING = finestFirst([
  ...[...km("K", "A", { 2: "X" }), ...km("M", "D", { 2: "Y" })],
  ...[..."BC"].map((name): Place => ({ name, level: 0, at: { 1: "L", 2: name === "B" ? "X" : "Y" } })),
  { name: "L", level: 1, parts: ["B", "C"], empty: 14 },
  { name: "X", level: 2, parts: ["K", "B"] },
  { name: "Y", level: 2, parts: ["M", "C"] },
]);
/** A country that offers nothing finer than km. */
const REGION_OF_KM = finestFirst([
  ...[..."KLM"].map((name): Place => ({ name, level: 1, at: { 2: name === "M" ? "Y" : "X", 3: "R" } })),
  { name: "X", level: 2, at: { 3: "R" }, parts: ["K", "L"] },
  { name: "Y", level: 2, at: { 3: "R" }, parts: ["M"] },
  { name: "R", level: 3, parts: ["X", "Y"] },
]);
/** Likewise, with a km on the border of the areas. By its centre, the nesting puts it into the first. */
const BORDER_KM = finestFirst([
  ...[..."KLM"].map((name): Place => ({ name, level: 1, at: { 2: name === "M" ? "Y" : "X", 3: "R" } })),
  { name: "X", level: 2, at: { 3: "R" }, parts: ["K"], touches: ["L"], empty: 1 },
  { name: "Y", level: 2, at: { 3: "R" }, parts: ["M"], touches: ["L"] },
  { name: "R", level: 3, parts: ["X", "Y"] },
]);
const KM_OF_6 = km("K", "ABCDEF", { 2: "X" });
const UNEQUAL_AREA = finestFirst([...km("K", "ABC", { 2: "X" }), ...km("L", "D", { 2: "X" }), { name: "X", level: 2, parts: ["K", "L"] }]);
const CELL: readonly Place[] = [{ name: "A", level: 0 }];
/** Who did not stay in a day did so in none of its hours. The most devices of a day end a step, too. */
const STAYED = "A_day - s_A_day <= A_h1 - s_A_h1 + A_h2 - s_A_h2 AND A_day < 14";

/** Countries with the strict profile: their steps are of 2k devices. */
const STRICT_K2: Pick<Family, "k" | "step" | "peopleOfDevice" | "isStrict"> = { k: 2, step: 16, peopleOfDevice: 4, isStrict: true };
const STRICT_K3: typeof STRICT_K2 = { ...STRICT_K2, k: 3, step: 24 };
const STRICT_STAYED = "A_day - s_A_day <= A_h1 - s_A_h1 + A_h2 - s_A_h2 AND A_day < 15";
/** Likewise. Nobody is in both cells, nor in the second one at the second hour. */
const STRICT_KM =
  "K_h1 = A_h1 + B_h1 AND K_h2 = A_h2 AND K_day = A_day + B_day AND B_h2 = 0 AND A_day - s_A_day <= A_h1 - s_A_h1 + A_h2 - s_A_h2 AND greatest(A_day, K_h1) < 10 AND K_day < 14";

/**
 * The devices of withheld rows stand for three people, all others for one: as much as three told parts have close below a border of rounding. Nobody
 * is in two places.
 */
const UNEQUAL = { k: 3, step: 9, peopleOfDevice: 1, peopleOfFew: 3, max: 13 };
/** Three told cells, each close below a border, and three others that may be withheld. */
const SIX = "K_h1 = A_h1 + B_h1 + C_h1 + D_h1 + E_h1 + F_h1 AND least(A_h1, B_h1, C_h1) > 8 AND greatest(D_h1, E_h1, F_h1) < 3";

/**
 * The families of the test suite. Their most devices end a step: otherwise a number that some of them have would be told by fewer worlds than
 * there are.
 */
const SUITE: readonly Family[] = [
  { name: "km of 4 cells", ...K3, max: 4, places: KM_OF_4 },
  { name: "km of 2 cells", ...K5, max: 12, places: KM_OF_2 },
  { name: "km of 3 cells and a lake", ...K3, max: 4, places: KM_WITH_LAKE },
  { name: "area of 2 km of 2 cells", ...K3, max: 4, places: AREA_OF_2_2 },
  { name: "area of 3 km, one of 2 cells", ...K3, max: 4, places: AREA_OF_3_KM },
  { name: "region of 2 areas with 3 km", ...K3, max: 4, places: REGION },
  { name: "km over 2 areas", ...K3, max: 4, places: STRADDLING },
  { name: "region of km", ...K4, max: 5, places: REGION_OF_KM },
  { name: "km on a border", ...K3, max: 4, places: BORDER_KM, where: "R_h1 >= L_h1" },
  { name: "cell, 3 hours and day", ...K3, max: 7, hours: 3, places: CELL },
  { name: "km of 2 cells, 2 hours and day", ...K3, max: 3, hours: 2, places: KM_OF_2 },
  { name: "stays of a cell", ...K5, max: 17, stays: 2, places: CELL },
  { name: "stays of a cell, 2 hours and day", ...K3, max: 7, hours: 2, stays: 1, places: CELL, where: STAYED },
  { name: "strict: stays of a cell, 2 hours and day", ...STRICT_K3, max: 8, hours: 2, stays: 1, places: CELL, where: STRICT_STAYED },
  {
    name: "strict: stays of a km of 2 cells, 2 hours and day",
    ...STRICT_K2,
    max: 5,
    hours: 2,
    stays: 1,
    places: KM_OF_2,
    where: STRICT_KM,
  },
  { name: "unequal km of 4 cells", ...UNEQUAL, places: KM_OF_4, where: "K_h1 = A_h1 + B_h1 + C_h1 + D_h1" },
  { name: "unequal km with room", ...UNEQUAL, places: KM_OF_6, where: SIX },
  { name: "unequal area", ...UNEQUAL, places: UNEQUAL_AREA, where: "K_h1 = A_h1 + B_h1 + C_h1 AND L_h1 = D_h1 AND X_h1 = K_h1 + L_h1" },
  { name: "unequal cell, 4 hours and day", ...UNEQUAL, hours: 4, places: CELL, where: "A_day = A_h1 + A_h2 + A_h3 + A_h4" },
  {
    name: "unequal km of 2 cells, 2 hours and day",
    ...UNEQUAL,
    hours: 2,
    places: KM_OF_2,
    where: "K_h1 = A_h1 + B_h1 AND K_h2 = A_h2 + B_h2 AND A_day = A_h1 + A_h2 AND B_day = B_h1 + B_h2 AND K_day = A_day + B_day",
  },
];

/** Families that take minutes: more devices, more parts, other thresholds. */
const LARGE: readonly Family[] = [
  { name: "km of 4 cells, to 7 devices", ...K3, max: 7, places: KM_OF_4 },
  { name: "area of 2 km of 2 cells, k 4", ...K4, max: 5, places: AREA_OF_2_2 },
  { name: "area of 2 km of 2 cells, k 5", ...K5, max: 7, places: AREA_OF_2_2 },
  { name: "area of 3 and 2 cells", ...K3, max: 4, places: AREA_OF_3_2 },
  { name: "region of km, k 3", ...K3, max: 7, places: REGION_OF_KM },
  { name: "km over 2 areas, k 4", ...K4, max: 5, places: STRADDLING },
  { name: "cell, 3 hours and day, k 4", ...K4, max: 9, hours: 3, places: CELL },
  { name: "km of 2 cells, 2 hours and day, to 4 devices", ...K3, max: 4, hours: 2, places: KM_OF_2 },
  { name: "stays of a cell, k 3", ...K3, max: 13, stays: 3, places: CELL },
];

/** Families of small worlds: those of the test suite, and large ones. The worlds of a large one fit into a warehouse, but not those of all. */
export const FAMILIES = { suite: SUITE, large: LARGE };

function finestFirst(places: readonly Place[]): Place[] {
  return [...places].sort((one, other) => one.level - other.level);
}
