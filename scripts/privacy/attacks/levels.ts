import type { Counts } from "../area-rule.ts";
import type { AreaRules } from "../area-rules.ts";
import { type Bound, type Bounds, mostOf } from "../bounds.ts";
import type { Places } from "../places.ts";
import type { Attacked } from "../verdicts.ts";
import { topOf } from "../world.ts";

/** A world that publishes the same as a bucket, except in some places of the coarsest level, for which it proves nothing. */
export interface World {
  readonly counts: Counts;
  readonly unproven: ReadonlySet<string>;
}

/** A bucket as an attacker on the levels sees it, with the truth and worlds that stand against him if they are known. */
export interface Bucket {
  readonly places: Places;
  readonly rules: AreaRules;
  readonly bounds: Bounds;
  readonly truth?: Counts | undefined;
  readonly worlds: readonly World[];
}

/** The kinds of sets that levels are attacked for. */
export const LEVEL_SETS = [
  "withheld rows",
  "withheld parts together",
  "km less cell",
  "area less cell",
  "area less km",
  "municipality less part",
] as const;
type LevelSet = (typeof LEVEL_SETS)[number];

/** A set that the attack on the levels is after, and what to ask the solver for it. */
export interface LevelTarget extends Attacked {
  readonly kind: LevelSet;
  /** The told place whose part it is of. */
  readonly of: string;
  /** The set is what these have, less what `less` has. */
  readonly rows: readonly string[];
  readonly less: string | undefined;
}

/** Attacks the levels of a bucket by intervals: every withheld row, all withheld parts of a told row together, and told rows less a told part. */
export function attackLevels(bucket: Bucket): LevelTarget[] {
  const { bounds, places } = bucket;
  const targets: LevelTarget[] = [];
  const around = new Map<string, string>();
  for (const [id, { parts }] of bounds) for (const part of parts) around.set(part, id);
  for (const [id, bound] of bounds) {
    if (bound.number > 0 && bound.parts.length > 0) targets.push(...hiddenParts(id, bound, bucket));
    if (bound.number === 0) continue;
    let above = 0;
    for (let outer = around.get(id); outer !== undefined; outer = around.get(outer)) {
      const bigger = bounds.get(outer);
      if (!bigger || bigger.number === 0) break;
      above += bigger.above;
      targets.push(difference(outer, bigger, id, bound, above, bucket));
    }
  }
  // Rows that are withheld and lie in no told row: nothing is known of them.
  for (const [id, { devices }] of bucket.truth ?? [])
    if (devices > 0 && !bounds.has(id) && !places.get(id)?.straddles)
      targets.push({ ...target("withheld rows", id, [id], undefined, bucket), min: 0, max: Number.POSITIVE_INFINITY });
  return targets;
}

function hiddenParts(id: string, bound: Bound, bucket: Bucket): LevelTarget[] {
  const parts = bound.parts.flatMap((part) => {
    const own = bucket.bounds.get(part);
    return own ? [{ part, isHidden: own.number === 0, most: mostOf(own) }] : [];
  });
  const hidden = parts.filter(({ isHidden }) => isHidden);
  if (hidden.length === 0) return [];
  const mostOfAll = (some: readonly (typeof parts)[number][]): number => some.reduce((sum, { most }) => sum + most, 0);
  const [among, others] = [mostOfAll(hidden), mostOfAll(parts.filter(({ isHidden }) => !isHidden))];
  const all = hidden.map(({ part }) => part);
  return [
    ...hidden.map(({ part, most }, index) => ({
      ...target("withheld rows", id, [part], undefined, bucket),
      // What nobody sees may have any number.
      min: Math.max(0, bound.told.min - others - (Number.isFinite(among) ? among - most : mostOfAll(hidden.toSpliced(index, 1)))),
      max: most,
    })),
    {
      ...target("withheld parts together", id, all, undefined, bucket),
      min: Math.max(0, bound.told.min - others),
      max: among,
    },
  ];
}

function difference(outer: string, bigger: Bound, id: string, smaller: Bound, above: number, bucket: Bucket): LevelTarget {
  return {
    ...target(kindOf(bucket.places.get(outer)?.level, bucket.places.get(id)?.level), outer, [outer], id, bucket),
    min: Math.max(0, Math.max(bigger.told.min - smaller.told.max, above) - smaller.hidden),
    max: mostOf(bigger) - smaller.told.min,
  };
}

function kindOf(outer: number | undefined, inner: number | undefined): LevelSet {
  if (outer === 3) return "municipality less part";
  if (outer === 1) return "km less cell";
  return inner === 1 ? "area less km" : "area less cell";
}

function target(kind: LevelSet, of: string, rows: readonly string[], less: string | undefined, { truth, worlds, places }: Bucket) {
  const sum = (counts: Counts): number =>
    rows.reduce((total, id) => total + (counts.get(id)?.devices ?? 0), 0) - (less === undefined ? 0 : (counts.get(less)?.devices ?? 0));
  const isRefuted = worlds.some(({ counts, unproven }) => !unproven.has(topOf(places, of)) && sum(counts) === 0);
  return { kind, of, rows, less, devices: truth && sum(truth), isRefuted };
}
