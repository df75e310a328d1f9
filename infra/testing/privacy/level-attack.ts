import { type Hidden, hiddenRow, type KnownSum, knowledgeOf, narrow } from "./bounds.ts";

/** Nested levels, finest first. A country may begin with the second. */
const LEVELS = ["grid_250m", "grid_1000m", "admin_level_4", "admin_level_2"] as const;

/** A row of its country's finest level, and the rows around it, each under a unique name (bucket, level and place). */
export interface FinestRow {
  readonly devices: number;
  /** The threshold of its country. */
  readonly k: number;
  readonly around: readonly string[];
}

/** A row of a coarser level under its name. */
export interface CoarserRow {
  readonly name: string;
  readonly level: string;
  readonly devices: number;
  readonly k: number;
}

/**
 * When a coarser row with k devices is withheld. `never`: never. `devices`: when its hidden parts have fewer than k devices together.
 * `parts`: when it has fewer than k hidden parts. A hidden part is a withheld finest row that no published row in between shows.
 */
export type LevelRule = "never" | "devices" | "parts";

interface Area extends CoarserRow {
  /** Hidden parts that no published row below shows. */
  readonly hidden: Hidden[];
  /** Every withheld part. */
  readonly withheld: Hidden[];
  /** Devices of the published finest rows, and of the published rows of the next level below that show the rest. */
  shown: number;
  covered: number;
  published: boolean;
}

/**
 * Attacks withheld rows by subtraction under a rule. A published coarser row minus the published rows within it bounds the hidden part from
 * below; where the rule applies, the absence of a coarser row bounds it from above. The attacker knows which finest rows are withheld.
 */
export function attackLevels(finest: readonly FinestRow[], coarser: readonly CoarserRow[], rule: LevelRule) {
  const areas = new Map(coarser.map((row): [string, Area] => [row.name, { ...row, ...EMPTY() }]));
  const rows: Hidden[] = [];
  const placed = finest.map(({ devices, k, around }) => {
    const hidden = devices < k ? hiddenRow(devices, k) : undefined;
    if (hidden) rows.push(hidden);
    return { devices, hidden, areas: around.flatMap((name) => areas.get(name) ?? []) };
  });
  for (const level of LEVELS) {
    const seen = new Set<Area>();
    for (const { devices, hidden, areas: around } of placed) {
      const at = around.findIndex((area) => area.level === level);
      const area = around[at];
      if (!area) continue;
      const below = around.slice(0, at).findLast(({ published }) => published);
      if (hidden) area.withheld.push(hidden);
      else area.shown += devices;
      if (below && !seen.has(below)) area.covered += below.devices;
      if (below) seen.add(below);
      else if (hidden) area.hidden.push(hidden);
      else area.covered += devices;
    }
    for (const area of areas.values()) if (area.level === level) area.published = isPublished(area, rule);
  }
  const sums = [...areas.values()].flatMap((area) => sumsOf(area, rule));
  narrow(sums.filter(({ parts }) => parts.length > 0));
  const shares = LEVELS.slice(1).map((level) => [level, shareOf([...areas.values()].filter((area) => area.level === level))]);
  return { ...knowledgeOf(rows), percentPublished: Object.fromEntries(shares) };
}

const EMPTY = (): Omit<Area, keyof CoarserRow> => ({ hidden: [], withheld: [], shown: 0, covered: 0, published: false });

function isPublished({ devices, k, hidden }: Area, rule: LevelRule): boolean {
  const left = { never: 0, devices: hidden.reduce((sum, part) => sum + part.devices, 0), parts: hidden.length }[rule];
  return devices >= k && (left === 0 || left >= k);
}

function sumsOf({ devices, k, published, hidden, withheld, shown, covered }: Area, rule: LevelRule): KnownSum[] {
  const most = Number.POSITIVE_INFINITY;
  if (published)
    return [
      { parts: withheld, least: devices - shown, most },
      { parts: hidden, least: Math.max(devices - covered, rule === "devices" ? k : 0), most },
    ];
  // A row with k visible devices is missing because of its hidden parts.
  return rule === "devices" && shown >= k ? [{ parts: hidden, least: 0, most: k - 1 }] : [];
}

function shareOf(areas: readonly Area[]): number {
  return Math.round((100 * areas.filter(({ published }) => published).length) / areas.length);
}
