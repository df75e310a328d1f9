import { type Point, pointName, ringName } from "./polygon.ts";
import type { Segment } from "./segment.ts";

const OUTSIDE = -1;

interface RingPlace {
  readonly counterClockwise: boolean;
  /** The ring directly around it. */
  readonly parent: number;
  /** Its westernmost point. */
  readonly west: Point;
}

/** Records during a sweep which ring contains which directly, and which rings touch. No two rings may cross. */
export class RingTree {
  readonly #places: (RingPlace | undefined)[];
  /** A union-find forest over the rings and the points in which they touch. */
  readonly #joined: number[];
  #cut: string | undefined;

  constructor(rings: number) {
    this.#places = Array.from({ length: rings }, () => undefined);
    this.#joined = Array.from({ length: rings }, (_, ring) => ring);
  }

  /** Adds one point of the sweep: the segment below it, those that end or pass there and those that pass or start, from the lowest up. */
  add(point: Point, below: Segment | undefined, ending: readonly Segment[], going: readonly Segment[]): void {
    let under = below;
    for (const segment of going) {
      if (!this.#places[segment.ring]) {
        // At a ring's leftmost corner the lower edge comes first, and the inside is above it.
        this.#places[segment.ring] = { counterClockwise: segment.rightward, parent: this.#ringAbove(under), west: point };
      }
      under = segment;
    }
    if (ending.length + going.length > 2) this.#touch(point, new Set([...ending, ...going].map(({ ring }) => ring)));
  }

  /** Returns the error of the first hole that is not directly in the shell, or of touching rings that cut the inside apart. */
  fault(): string | undefined {
    for (const [ring, place] of this.#places.entries()) {
      if (ring === 0 || !place) continue;
      const { parent, west } = place;
      const name = `${ringName(ring)}, at ${pointName(west)}`;
      if (parent === OUTSIDE) return `${name}, lies outside of the shell (ring 1); a hole must lie inside the shell`;
      if (parent !== 0) return `${name}, lies inside of ${ringName(parent)}; holes must lie next to each other`;
    }
    return this.#cut;
  }

  /** Returns the ring that the space directly above a segment belongs to. */
  #ringAbove(segment: Segment | undefined): number {
    const place = segment && this.#places[segment.ring];
    if (!place) return OUTSIDE;
    return segment.rightward === place.counterClockwise ? segment.ring : place.parent;
  }

  /** Rings and touching points that form a cycle enclose a part of the inside. */
  #touch(point: Point, rings: ReadonlySet<number>): void {
    const node = this.#joined.push(this.#joined.length) - 1;
    for (const ring of rings) {
      const root = this.#root(ring);
      if (root === this.#root(node)) {
        this.#cut ??= `${ringName(ring)} touches other rings at ${pointName(point)} and elsewhere, which cuts the inside of the polygon in two; each part is a polygon of its own`;
      }
      this.#joined[root] = this.#root(node);
    }
  }

  #root(node: number): number {
    let at = node;
    for (let up = this.#joined[at]; up !== undefined && up !== at; up = this.#joined[at]) {
      this.#joined[at] = this.#joined[up] ?? up;
      at = up;
    }
    return at;
  }
}
