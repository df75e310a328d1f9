/** A seeded source of decisions. The same seed gives the same decisions. */
export interface Random {
  /** Returns a number of at least 0 and less than 1. */
  readonly next: () => number;
  /** Returns true with this probability. Always draws one number, so that a changed rate leaves the rest of a run as it was. */
  readonly chance: (probability: number) => boolean;
  /** Returns an integer, both ends included. */
  readonly whole: (least: number, most: number) => number;
  /** Returns one of the items. Throws a RangeError when there are none. */
  readonly pick: <T>(items: readonly T[]) => T;
}

/**
 * Returns an sfc32 generator by Chris Doty-Humphrey (public domain), seeded by splitmix32 so that neighbouring seeds are independent.
 * Source: https://pracrand.sourceforge.net/RNG_engines.txt and https://github.com/bryc/code/blob/master/jshash/PRNGs.md
 */
export function randomOf(seed: number): Random {
  const mix = splitmix32(seed);
  let [a, b, c, counter] = [mix(), mix(), mix(), 1];
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let warm = 0; warm < 12; warm++) next();
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const pick = <T>(items: readonly T[]): T => {
    for (const item of items.slice(whole(0, items.length - 1)).slice(0, 1)) return item;
    throw new RangeError("there is nothing to pick from");
  };
  return { next, chance: (probability) => next() < probability, whole, pick };
}

function splitmix32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let value = state ^ (state >>> 16);
    value = Math.imul(value, 0x21f0aaad);
    value ^= value >>> 15;
    value = Math.imul(value, 0x735a2d97);
    return value ^ (value >>> 15);
  };
}
