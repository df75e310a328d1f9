/** How well published numbers stand for what was delivered, of one product and level. */
export interface Utility {
  readonly product: string;
  readonly level: string;
  readonly rows: number;
  /** The share of the delivered people that are in published rows, 0 to 1. */
  readonly people: number;
  /** The median of the people delivered in published rows. */
  readonly typical: number;
  /** The median and the 95th percentile of the relative error of published numbers. */
  readonly median: number;
  readonly p95: number;
}

/** A delivered number and the published one; undefined for a withheld row. */
export interface Pairing {
  readonly product: string;
  readonly level: string;
  readonly delivered: number;
  readonly published: number | undefined;
}

/** Compares published numbers with delivered ones by product and level, in the order in which these appear. */
export function utilityOf(pairings: Iterable<Pairing>): Utility[] {
  const groups = new Map<string, { product: string; level: string; all: number; told: number; errors: number[]; sizes: number[] }>();
  for (const { product, level, delivered, published } of pairings) {
    if (delivered <= 0) continue;
    const key = `${product} ${level}`;
    const group = groups.get(key) ?? { product, level, all: 0, told: 0, errors: [], sizes: [] };
    groups.set(key, group);
    group.all += delivered;
    if (published === undefined) continue;
    group.told += delivered;
    group.sizes.push(delivered);
    group.errors.push(Math.abs(published - delivered) / delivered);
  }
  return [...groups.values()].map(({ product, level, all, told, errors, sizes }) => {
    const [sorted, people] = [errors.sort((a, b) => a - b), sizes.sort((a, b) => a - b)];
    return {
      ...{ product, level, rows: sorted.length, people: told / all, typical: percentile(people, 0.5) },
      ...{ median: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) },
    };
  });
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
