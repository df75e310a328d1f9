import type { Vertex } from "./vertex.ts";

/**
 * Returns a line with fewer vertices: none of those left out is further than the tolerance (hundred-thousandths of a degree of latitude)
 * from the line. The ends stay. Source: Douglas and Peucker, 1973.
 */
export function simplified(line: readonly Vertex[], tolerance = 250): Vertex[] {
  const [first] = line;
  const last = line.at(-1);
  if (!first || !last || line.length < 3) return [...line];
  const shrink = Math.cos((first[1] / 1e5) * (Math.PI / 180));
  const isClosed = first[0] === last[0] && first[1] === last[1];
  let [farthest, most] = [0, -1];
  for (const [index, vertex] of line.entries()) {
    const distance = isClosed ? between(vertex, first, shrink) : fromSegment(vertex, first, last, shrink);
    if (distance > most) [farthest, most] = [index, distance];
  }
  if (!isClosed && most <= tolerance) return [first, last];
  return [...simplified(line.slice(0, farthest + 1), tolerance).slice(0, -1), ...simplified(line.slice(farthest), tolerance)];
}

function between([ax, ay]: Vertex, [bx, by]: Vertex, shrink: number): number {
  return Math.hypot((ax - bx) * shrink, ay - by);
}

function fromSegment([x, y]: Vertex, [ax, ay]: Vertex, [bx, by]: Vertex, shrink: number): number {
  const [dx, dy, px, py] = [(bx - ax) * shrink, by - ay, (x - ax) * shrink, y - ay];
  const along = Math.min(1, Math.max(0, (px * dx + py * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(px - along * dx, py - along * dy);
}
