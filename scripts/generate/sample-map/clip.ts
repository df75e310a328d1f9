import { Clipper, FillRule, type Path64 } from "clipper2-ts";
import { twiceArea, type Vertex } from "./vertex.ts";

/** Vertices of neighbours that were cut where the same two lines cross may differ by the rounding, in units. */
const ROUNDING = 3;

/**
 * Returns the parts of each convex cell that are land: shells, counter-clockwise, without the repeated first vertex. Vertices that several
 * cells share are equal. Throws an error if a cell's land has a hole.
 */
export function clipToLand(cells: readonly (readonly Vertex[])[], land: readonly (readonly Vertex[])[]): Vertex[][][] {
  const known = new KnownVertices();
  for (const ring of land) for (const vertex of ring) known.equal(vertex);
  const shells = land.map((ring) => ({ path: pathOf(ring), box: boxOf(ring) }));
  return cells.map((cell) => {
    const box = boxOf(cell);
    const near = shells.filter((shell) => overlaps(shell.box, box)).map(({ path }) => path);
    if (near.length === 0 || cell.length < 3) return [];
    const wide = { left: box.west - 1000, top: box.south - 1000, right: box.east + 1000, bottom: box.north + 1000 };
    const cut = Clipper.intersect(Clipper.rectClip(Clipper.getBounds(pathOf(corners(wide))), near), [pathOf(cell)], FillRule.NonZero);
    return cut.flatMap((path) => {
      const ring = distinct(path.map(({ x, y }) => known.equal([x, y])));
      const area = twiceArea(ring);
      if (area < 0) throw new Error("the land of a cell has a hole");
      return ring.length < 3 || area === 0 ? [] : [ring];
    });
  });
}

/** The vertices seen so far. */
class KnownVertices {
  readonly #cells = new Map<string, Vertex[]>();

  /** Returns the known vertex at most the rounding away, or this one, which is known from then on. */
  equal([x, y]: Vertex): Vertex {
    const [column, row] = [Math.floor(x / 16), Math.floor(y / 16)];
    for (let i = column - 1; i <= column + 1; i++)
      for (let j = row - 1; j <= row + 1; j++)
        for (const seen of this.#cells.get(`${i} ${j}`) ?? [])
          if (Math.abs(seen[0] - x) <= ROUNDING && Math.abs(seen[1] - y) <= ROUNDING) return seen;
    const vertex: Vertex = [x, y];
    const key = `${column} ${row}`;
    this.#cells.set(key, [...(this.#cells.get(key) ?? []), vertex]);
    return vertex;
  }
}

/** Returns a ring without repeated vertices and without spikes, where the ring goes back to the vertex before. */
function distinct(ring: readonly Vertex[]): Vertex[] {
  const kept: Vertex[] = [];
  for (const vertex of ring) {
    if (kept.at(-1) === vertex) continue;
    if (kept.length > 1 && kept.at(-2) === vertex) kept.pop();
    else kept.push(vertex);
  }
  while (kept.length > 1 && kept[0] === kept.at(-1)) kept.pop();
  return kept;
}

interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

function boxOf(ring: readonly Vertex[]): Box {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  return { west: Math.min(...xs), south: Math.min(...ys), east: Math.max(...xs), north: Math.max(...ys) };
}

function overlaps(a: Box, b: Box): boolean {
  return a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north;
}

function corners({ left, top, right, bottom }: { left: number; top: number; right: number; bottom: number }): Vertex[] {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

function pathOf(ring: readonly Vertex[]): Path64 {
  return ring.map(([x, y]) => ({ x, y }));
}
