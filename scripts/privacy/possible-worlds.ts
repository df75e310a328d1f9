/** A set of devices and how many it has in a world. */
export interface SetCount {
  /** What the attacker asks for, the same in every world: for example `cell 3`. */
  readonly name: string;
  readonly count: number;
}

/** How many sets of 1 to k - 1 devices were considered, and what an attacker learns of them. */
export interface Tally {
  readonly considered: number;
  /** Sets of which none of the possible counts is 0. */
  readonly shown: number;
  /** Sets whose possible counts all lie in 1 to k - 1. */
  readonly recovered: number;
}

/** A world as an attacker sees it: what is published of it, as one text, and the sets whose counts he is after. */
export interface SeenWorld {
  readonly published: string;
  readonly sets: readonly SetCount[];
}

/**
 * Scores an attacker who knows the rule and every possible world. A count is possible if a world that publishes the same has it. This is
 * exact, for as many worlds as fit in memory.
 */
export function scoreWorlds(worlds: Iterable<SeenWorld>, k: number): Tally {
  const alike = new Map<string, Map<string, { min: number; max: number; considered: number }>>();
  for (const { published, sets } of worlds) {
    const ranges = alike.get(published) ?? new Map();
    alike.set(published, ranges);
    for (const { name, count } of sets) {
      const range = ranges.get(name) ?? { min: count, max: count, considered: 0 };
      ranges.set(name, range);
      range.min = Math.min(range.min, count);
      range.max = Math.max(range.max, count);
      if (count >= 1 && count < k) range.considered++;
    }
  }
  let [considered, shown, recovered] = [0, 0, 0];
  for (const ranges of alike.values())
    for (const range of ranges.values()) {
      considered += range.considered;
      if (range.min > 0) shown += range.considered;
      if (range.min > 0 && range.max < k) recovered += range.considered;
    }
  return { considered, shown, recovered };
}
