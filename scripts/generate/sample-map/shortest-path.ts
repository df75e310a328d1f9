const WIDTH = 4096;
const STEPS = [-WIDTH - 1, -WIDTH, -WIDTH + 1, -1, 1, WIDTH - 1, WIDTH, WIDTH + 1];

/** The search takes the rest of a path to cost this much a square: more than the cheapest squares do, so that it looks at fewer of them. */
const LIKELY = 1.4;

/**
 * Returns a cheap path between two squares (row × 4,096 + column), both included: at most `LIKELY` times the cheapest. A step goes to one of
 * eight neighbours and costs the mean of both squares, at least 1, times its length. Source: Hart, Nilsson and Raphael (A*), 1968; Pohl,
 * 1970.
 */
export function shortestPath(start: number, end: number, cost: (square: number) => number): number[] {
  const left = (square: number): number =>
    Math.hypot((square % WIDTH) - (end % WIDTH), Math.floor(square / WIDTH) - Math.floor(end / WIDTH));
  const costs = new Map([[start, 0]]);
  const cameFrom = new Map<number, number>();
  const done = new Set<number>();
  const open = new Heap();
  open.push(start, left(start));
  for (let square = open.pop(); square !== undefined && square !== end; square = open.pop()) {
    if (done.has(square)) continue;
    done.add(square);
    const [sofar, here] = [costs.get(square) ?? 0, cost(square)];
    for (const step of STEPS) {
      const next = square + step;
      const total = sofar + ((here + cost(next)) / 2) * (Math.abs(step) === 1 || Math.abs(step) === WIDTH ? 1 : Math.SQRT2);
      if (total >= (costs.get(next) ?? Number.POSITIVE_INFINITY)) continue;
      costs.set(next, total);
      cameFrom.set(next, square);
      open.push(next, total + LIKELY * left(next));
    }
  }
  const path = [end];
  for (let square = cameFrom.get(end); square !== undefined; square = cameFrom.get(square)) path.unshift(square);
  return path;
}

/** A queue that gives the item of the lowest priority first. */
class Heap {
  readonly #items: { readonly item: number; readonly priority: number }[] = [];

  push(item: number, priority: number): void {
    const items = this.#items;
    let index = items.push({ item, priority }) - 1;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const [child, parent] = [items[index], items[above]];
      if (!child || !parent || parent.priority <= child.priority) return;
      [items[index], items[above]] = [parent, child];
      index = above;
    }
  }

  pop(): number | undefined {
    const items = this.#items;
    const [top] = items;
    const last = items.pop();
    if (!top || !last || items.length === 0) return top?.item;
    items[0] = last;
    let index = 0;
    for (;;) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      const lesser = (items[right]?.priority ?? Infinity) < (items[left]?.priority ?? Infinity) ? right : left;
      const [parent, child] = [items[index], items[lesser]];
      if (!parent || !child || child.priority >= parent.priority) return top.item;
      [items[index], items[lesser]] = [child, parent];
      index = lesser;
    }
  }
}
