/** A broken rule of the query that publishes areas. */
export interface Mutant {
  /** What is broken. */
  readonly name: string;
  /** Texts of the query, and what stands there instead, everywhere. */
  readonly edits: readonly (readonly [from: string | RegExp, to: string])[];
  /** The family whose worlds tell. */
  readonly family: string;
  /** Whether the rule is only in the query of days. */
  readonly ofDays?: boolean;
  /** What is told of sets of 1 to k - 1 devices: some are recovered, some rows of them are told, or more are shown than by the rule. */
  readonly tells: "recovered" | "told" | "shown";
}

const KEPT = "IF(LEAST(hidden, room) >= k, LEAST(hidden, room), 0) AS kept";
const CUT = "IF(kept = 0, n - hidden, LEAST(n, told_parts + kept)) AS cut";
const ANY_PEOPLE = ["CAST(FLOOR(", "1000000 + CAST(FLOOR("] as const;
const SNAP = /WHEN base > 0 AND (\w+) - base < k THEN base WHEN \w+ < k THEN 0/g;

export const MUTANTS: readonly Mutant[] = [
  {
    name: "threshold off by one",
    edits: [[/(WHEN \w+) < k THEN 0/g, "$1 < k - 1 THEN 0"]],
    family: "km of 2 cells",
    tells: "told",
  },
  {
    name: "rounding only",
    edits: [
      [CUT, "n AS cut"],
      [SNAP, "WHEN $1 < k THEN 0"],
    ],
    family: "km of 2 cells",
    tells: "recovered",
  },
  { name: "no taking out", edits: [[CUT, "n AS cut"]], family: "km of 2 cells", tells: "recovered" },
  {
    name: "no room: hidden parts of k devices stay in",
    edits: [[KEPT, "IF(hidden >= k, hidden, 0) AS kept"]],
    family: "km of 2 cells",
    tells: "recovered",
  },
  {
    name: "room of the parts that hide someone",
    edits: [
      ["SUM(sealed) AS sealed", "SUM(sealed) AS sealed, COUNTIF(missing > 0) AS hiding"],
      ["(parts - sealed - 1)", "(hiding - 1)"],
    ],
    family: "km of 4 cells",
    tells: "recovered",
  },
  {
    name: "taking out below the largest told part",
    edits: [[SNAP, "WHEN $1 < k THEN 0 WHEN base > 0 AND $1 - base BETWEEN 0 AND k - 1 THEN base"]],
    family: "km of 2 cells",
    tells: "recovered",
  },
  {
    name: "hours without room",
    ofDays: true,
    edits: [["(k - 1) * (hours_absent - 1)", "1000000"]],
    family: "cell, 3 hours and day",
    tells: "recovered",
  },
  {
    name: "a km in two areas is told",
    edits: [[" AND NOT (g.level = 1 AND g.at_2 IS NULL AND c.finest_level = 0)", ""]],
    family: "km over 2 areas",
    tells: "recovered",
  },
  {
    name: "no snapping of stays",
    edits: [["IF(told - raw_stays_devices < k, told, raw_stays_devices)", "raw_stays_devices"]],
    family: "stays of a cell",
    tells: "shown",
  },
  {
    name: "no snapping of second stays",
    edits: [["IF(raw_stays_count - exact_stays_devices < k, exact_stays_devices, raw_stays_count)", "raw_stays_count"]],
    family: "stays of a cell",
    tells: "recovered",
  },
  {
    name: "stays of a day below those of its hours",
    ofDays: true,
    edits: [["MAX(out_stays_devices)", "MIN(0)"]],
    family: "stays of a cell, 2 hours and day",
    tells: "shown",
  },
  {
    name: "stays of a day with those of hours that are withheld",
    ofDays: true,
    edits: [["SUM(out_stays_devices)", "MAX(1000000)"]],
    family: "stays of a cell, 2 hours and day",
    tells: "shown",
  },
  {
    name: "stays of a strict day below those of its hours",
    ofDays: true,
    edits: [["MAX(out_stays_devices)", "MIN(0)"]],
    family: "strict: stays of a km of 2 cells, 2 hours and day",
    tells: "shown",
  },
  {
    name: "stays of a strict day with those of hours that are withheld",
    ofDays: true,
    edits: [["SUM(out_stays_devices)", "MAX(1000000)"]],
    family: "strict: stays of a cell, 2 hours and day",
    tells: "shown",
  },
  { name: "no rounding", edits: [["@step_", "1 + 0 * @step_"]], family: "km of 2 cells", tells: "shown" },
  {
    name: "no snapping of levels",
    edits: [[SNAP, "WHEN base > 0 AND $1 < base THEN base WHEN $1 < k THEN 0"]],
    family: "km of 2 cells",
    tells: "shown",
  },
  {
    name: "no carrying upward",
    edits: [[/(IF\(level = \d, )(GREATEST\(n - told, 0\)), missing\)/g, "$1IF(told = 0, n, 0), missing)"]],
    family: "region of 2 areas with 3 km",
    tells: "shown",
  },
  { name: "people of withheld cells in their km", edits: [ANY_PEOPLE], family: "unequal km of 4 cells", tells: "recovered" },
  { name: "people of withheld cells that stay in", edits: [ANY_PEOPLE], family: "unequal km with room", tells: "shown" },
  {
    name: "people of withheld cells and hours in their km's day",
    edits: [ANY_PEOPLE],
    family: "unequal km of 2 cells, 2 hours and day",
    tells: "recovered",
  },
  {
    name: "people of withheld hours in their day",
    edits: [ANY_PEOPLE],
    ofDays: true,
    family: "unequal cell, 4 hours and day",
    tells: "recovered",
  },
];

/** Returns the query with a rule broken. Throws if a text is not in it: the query has changed, and the mutant must follow. */
export function mutate(sql: string, { name, edits, ofDays = false }: Mutant): string {
  if (ofDays && !sql.includes("hour_sums")) return sql;
  return edits.reduce((text, [from, to]) => {
    const edited = text.replaceAll(typeof from === "string" ? from : new RegExp(from, "g"), to);
    if (edited === text) throw new Error(`Mutant "${name}": the query has no ${String(from)}`);
    return edited;
  }, sql);
}
