import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as v from "valibot";
import { simplified } from "./simplify.ts";
import { twiceArea, type Vertex } from "./vertex.ts";

const Rings = v.array(v.array(v.number()));
const World = v.object({
  transform: v.object({ scale: v.tuple([v.number(), v.number()]), translate: v.tuple([v.number(), v.number()]) }),
  arcs: v.array(v.array(v.tuple([v.number(), v.number()]))),
  objects: v.object({
    countries: v.object({
      geometries: v.array(
        v.object({
          id: v.optional(v.string()),
          type: v.string(),
          arcs: v.optional(v.union([v.array(Rings), Rings])),
        }),
      ),
    }),
  }),
});

/** Islands smaller than this are left out, square metres. */
const SMALLEST_ISLAND = 4_000_000;

type World = v.InferOutput<typeof World>;

let known: { readonly world: World; readonly arcs: Map<number, Vertex[]> } | undefined;

/**
 * Returns the land of a country as shells without holes, simplified: Natural Earth at 1:10m (public domain, `world-atlas`). Neighbours share
 * the vertices of their border. Shells outside the box in degrees (islands in other seas) and small islands are left out.
 * @param id the country's ISO 3166-1 number, as text
 */
export function landOf(id: string, [west, south, east, north]: readonly [number, number, number, number]): Vertex[][] {
  known ??= { world: readWorld(), arcs: new Map() };
  const { world, arcs } = known;
  const arcAt = (index: number): Vertex[] => {
    const arc = arcs.get(index) ?? decoded(world, index);
    arcs.set(index, arc);
    return arc;
  };
  const country = world.objects.countries.geometries.find((geometry) => geometry.id === id);
  if (!country?.arcs) throw new Error(`world-atlas has no country ${id}`);
  const polygons = country.type === "Polygon" ? [v.parse(Rings, country.arcs)] : v.parse(v.array(Rings), country.arcs);
  return polygons
    .map((rings) => shellOf(rings, arcAt))
    .filter((ring) => {
      const inside = ring.every(([x, y]) => x >= west * 1e5 && x <= east * 1e5 && y >= south * 1e5 && y <= north * 1e5);
      return inside && Math.abs(squareMetres(ring)) >= SMALLEST_ISLAND;
    });
}

function readWorld(): World {
  return v.parse(World, JSON.parse(readFileSync(createRequire(import.meta.url).resolve("world-atlas/countries-10m.json"), "utf8")));
}

/** Returns the shell of a polygon of arcs, counter-clockwise, without the repeated first vertex. Lakes are land. */
function shellOf([shell = []]: readonly (readonly number[])[], arcAt: (index: number) => Vertex[]): Vertex[] {
  const ring: Vertex[] = [];
  for (const index of shell) {
    const arc = arcAt(index < 0 ? ~index : index);
    ring.push(...(index < 0 ? arc.toReversed() : arc).slice(0, -1));
  }
  return twiceArea(ring) > 0 ? ring : ring.reverse();
}

/** Returns an arc, simplified. */
function decoded({ transform: { scale, translate }, arcs }: World, index: number): Vertex[] {
  let [x, y] = [0, 0];
  const arc = (arcs[index] ?? []).map(([dx, dy]): Vertex => {
    x += dx;
    y += dy;
    return [Math.round((x * scale[0] + translate[0]) * 1e5), Math.round((y * scale[1] + translate[1]) * 1e5)];
  });
  return simplified(arc);
}

function squareMetres(ring: readonly Vertex[]): number {
  const latitude = ((ring[0]?.[1] ?? 0) / 1e5) * (Math.PI / 180);
  return (twiceArea(ring) / 2) * 1.113 * 1.113 * Math.cos(latitude);
}
