/** A seeded source of decisions. The same seed gives the same decisions. */
export interface Chance {
  /** Returns an integer, both ends included. */
  readonly whole: (least: number, most: number) => number;
  /** Returns true once in `n` times on average. */
  readonly oneIn: (n: number) => boolean;
  /** Returns one of the items. Throws when there are none. */
  readonly pick: <T>(items: readonly T[]) => T;
  /** Draws `count` items with replacement. */
  readonly picks: <T>(items: readonly T[], count: number) => T[];
}

/** Mulberry32, a generator of 32 bits by Tommy Ettinger (public domain). */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const pick = <T>(items: readonly T[]): T => {
    const index = whole(0, items.length - 1);
    for (const item of items.slice(index, index + 1)) return item;
    throw new RangeError("there is nothing to pick from");
  };
  return { whole, oneIn: (n) => whole(1, n) === 1, pick, picks: (items, count) => Array.from({ length: count }, () => pick(items)) };
}
