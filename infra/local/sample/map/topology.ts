import type { Point } from "../../../../shared/geometry/polygon.ts";

type ArcRings = readonly (readonly number[])[];

/** An invented area of a country: a municipality, or an area within one. */
interface AreaGeometry {
  readonly type: string;
  readonly id: number;
  /** Polygons of rings of arcs. An arc `~n` is arc n backwards. */
  readonly arcs: readonly ArcRings[];
}

/** The geometry of an admin_level_4 area. */
interface SmallArea extends AreaGeometry {
  readonly properties: {
    readonly name: string;
    /** The code of the municipality. */
    readonly parent: number;
    /** The site in the metres of the country's grid, and its weight in square metres: the area is what is nearest to it. */
    readonly easting: number;
    readonly northing: number;
    readonly weight: number;
  };
}

/** The geometry of an admin_level_2 area: the areas within it, together. */
interface LargeArea extends AreaGeometry {
  readonly properties: { readonly name: string };
}

/** The geometry of a road between two places. */
interface RoadLine {
  readonly type: string;
  readonly arcs: readonly number[];
  readonly properties: { readonly name: string; readonly class: string };
}

/** The invented boundaries and roads of a country: TopoJSON (topojson/topojson-specification), in degrees. Areas share their lines. */
export interface Topology {
  readonly type: string;
  readonly transform: { readonly scale: readonly number[]; readonly translate: readonly number[] };
  readonly objects: {
    readonly admin_level_2: { readonly type: string; readonly geometries: readonly LargeArea[] };
    readonly admin_level_4: { readonly type: string; readonly geometries: readonly SmallArea[] };
    readonly roads: { readonly type: string; readonly geometries: readonly RoadLine[] };
  };
  /** Each arc begins at a position; the others are differences to the one before. */
  readonly arcs: readonly (readonly (readonly number[])[])[];
}

/** Returns the arcs of a topology in degrees. */
export function arcsOf({ transform, arcs }: Topology): Point[][] {
  const [scale = 1] = transform.scale;
  const units = Math.round(1 / scale);
  return arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([dx = 0, dy = 0]) => {
      x += dx;
      y += dy;
      return [x / units, y / units] as const;
    });
  });
}

/** Returns the positions of arcs one after another. Where two arcs meet, the position is there once. */
export function lineOf(numbers: readonly number[], arcs: readonly (readonly Point[])[]): Point[] {
  return numbers.flatMap((number, index) => {
    const arc = arcs[number < 0 ? ~number : number] ?? [];
    const line = number < 0 ? arc.toReversed() : arc;
    return index === 0 ? line : line.slice(1);
  });
}
