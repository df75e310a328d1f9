import { twiceArea, type Vertex } from "./vertex.ts";

/** A ring as the numbers of its arcs; `~n` is arc n backwards. */
export type ArcRing = readonly number[];

/** Lines that areas share, each once. */
export class Arcs {
  readonly lines: (readonly Vertex[])[] = [];
  readonly #known = new Map<string, number>();

  /**
   * Returns each area's rings as arcs. Rings are cut where their neighbours change, so that a shared line is one arc.
   * @param areas the rings of each area, without the repeated first vertex; vertices that areas share are equal
   */
  add(areas: readonly (readonly (readonly Vertex[])[])[]): ArcRing[][] {
    const junctions = junctionsOf(areas.flat());
    return areas.map((rings) => rings.map((ring) => this.#cut(ring, junctions)));
  }

  /** Returns the number of a line, which is an arc from then on. */
  line(line: readonly Vertex[]): number {
    const [forward, backward] = [keyOf(line), keyOf(line.toReversed())];
    const known = this.#known.get(forward);
    if (known !== undefined) return known;
    const reversed = this.#known.get(backward);
    if (reversed !== undefined) return ~reversed;
    this.#known.set(forward, this.lines.length);
    return this.lines.push(line) - 1;
  }

  /** Returns the vertices of an arc in the direction of its number. */
  vertices(arc: number): readonly Vertex[] {
    const line = this.lines[arc < 0 ? ~arc : arc] ?? [];
    return arc < 0 ? line.toReversed() : line;
  }

  #cut(ring: readonly Vertex[], junctions: ReadonlySet<string>): number[] {
    const found = ring.findIndex((vertex) => junctions.has(String(vertex)));
    // A ring without a junction begins at its lowest vertex, wherever it was found.
    const start = found >= 0 ? found : ring.indexOf(ring.reduce((low, vertex) => (isBelow(vertex, low) ? vertex : low)));
    const turned = [...ring.slice(start), ...ring.slice(0, start + 1)];
    const arcs: number[] = [];
    let from = 0;
    for (let index = 1; index < turned.length; index++) {
      if (index < turned.length - 1 && !junctions.has(String(turned[index]))) continue;
      arcs.push(this.line(turned.slice(from, index + 1)));
      from = index;
    }
    return arcs;
  }
}

/**
 * Returns the rings around areas together: the arcs that only one of them has, joined. Shells are counter-clockwise, holes clockwise.
 * Throws an error if the arcs do not close.
 */
export function mergedRings(areas: readonly (readonly ArcRing[])[], arcs: Arcs): { shells: ArcRing[]; holes: ArcRing[] } {
  const used = areas.flat(2);
  const inside = new Set(used);
  const border = used.filter((arc) => !inside.has(~arc));
  const starting = Map.groupBy(border, (arc) => String(arcs.vertices(arc)[0]));
  const rings: number[][] = [];
  for (const arc of border) {
    const ring: number[] = [];
    let next: number | undefined = take(starting, String(arcs.vertices(arc)[0]), arc);
    const start = String(arcs.vertices(arc)[0]);
    while (next !== undefined) {
      ring.push(next);
      const end = String(arcs.vertices(next).at(-1));
      next = end === start ? undefined : take(starting, end);
      if (next === undefined && end !== start) throw new Error(`the border is open at ${end}`);
    }
    if (ring.length > 0) rings.push(ring);
  }
  const isShell = (ring: ArcRing): boolean => twiceArea(ring.flatMap((arc) => arcs.vertices(arc).slice(0, -1))) > 0;
  return { shells: rings.filter(isShell), holes: rings.filter((ring) => !isShell(ring)) };
}

/** Takes an arc that starts at a vertex out of the map: this one, or any. */
function take(starting: Map<string, number[]>, vertex: string, arc?: number): number | undefined {
  const there = starting.get(vertex) ?? [];
  const index = arc === undefined ? 0 : there.indexOf(arc);
  return index < 0 ? undefined : there.splice(index, 1)[0];
}

/** Returns the vertices at which rings part: those with different neighbours in different rings. */
function junctionsOf(rings: readonly (readonly Vertex[])[]): Set<string> {
  const neighbours = new Map<string, string>();
  const junctions = new Set<string>();
  for (const ring of rings)
    for (const [index, vertex] of ring.entries()) {
      const key = String(vertex);
      const pair = [String(ring.at(index - 1)), String(ring[(index + 1) % ring.length])].sort().join(" ");
      if ((neighbours.get(key) ?? pair) !== pair) junctions.add(key);
      neighbours.set(key, pair);
    }
  return junctions;
}

function isBelow([ax, ay]: Vertex, [bx, by]: Vertex): boolean {
  return ay < by || (ay === by && ax < bx);
}

function keyOf(line: readonly Vertex[]): string {
  return line.join(" ");
}
