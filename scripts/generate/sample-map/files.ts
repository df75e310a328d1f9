import { runsInside } from "../../../infra/local/sample/map/land-runs.ts";
import { SAMPLE_PLACES, type SamplePlace } from "../../../infra/local/sample/map/sample-places.ts";
import { SAMPLE_COUNTRIES, type SampleCountry } from "../../../infra/local/sample/rules.ts";
import type { Crs } from "../../../shared/geometry/crs.ts";
import { project } from "../../../shared/geometry/projection.ts";
import { type ArcRing, Arcs, mergedRings } from "./arcs.ts";
import { clipToLand } from "./clip.ts";
import { landOf } from "./land.ts";
import { powerCells } from "./power-cells.ts";
import { ROAD_SQUARE, roadsBetween } from "./roads.ts";
import { simplified } from "./simplify.ts";
import { sitesOf } from "./sites.ts";
import { unproject } from "./unproject.ts";
import type { Vertex } from "./vertex.ts";

/** For each country its number in `world-atlas` and a box around its land, degrees. */
const LAND: Readonly<Record<SampleCountry["code"], readonly [id: string, box: readonly [number, number, number, number]]>> = {
  EST: ["233", [21, 57, 29, 60]],
  LAT: ["428", [20, 55, 29, 59]],
  NOR: ["578", [4, 57, 32, 71.5]],
};
/** How far cells reach beyond the outermost sites, metres. */
const MARGIN = 400_000;

/** Returns the files of `infra/local/sample/map/generated`: for each country its invented boundaries and roads. Content by name. */
export function sampleMapFiles(): Map<string, string> {
  return new Map(SAMPLE_COUNTRIES.map((country) => [`${country.code}.json`, topologyOf(country)]));
}

function topologyOf({ code, crs, codesOfArea }: SampleCountry): string {
  const places = SAMPLE_PLACES[code];
  const [id, box] = LAND[code];
  const land = landOf(id, box);
  const sites = sitesOf(places, crs, codesOfArea);
  const toVertex = unprojected(crs, places);
  const cells = powerCells(sites, MARGIN).map((cell) => cell.map(toVertex));
  const areas = clipToLand(cells, land)
    .map((rings, index) => ({ site: sites[index], rings }))
    .filter(({ rings }) => rings.length > 0);
  const arcs = new Arcs();
  const ringsOf = arcs.add(areas.map(({ rings }) => rings));
  const small = areas.map(({ site }, index) => ({ site, rings: ringsOf[index] ?? [] }));
  const ofPlace = Map.groupBy(small, ({ site }) => site?.place);
  const large = places.map((place) => ({
    place,
    rings: mergedRings(
      (ofPlace.get(place) ?? []).map(({ rings }) => rings),
      arcs,
    ),
  }));
  const outlines = land.map((ring) => [...ring, ...ring.slice(0, 1)].map(([x, y]) => project(crs, [x / 1e5, y / 1e5])));
  const at = places.map(({ lon, lat }) => project(crs, [lon, lat]));
  const roads = roadsBetween(places, at, runsInside(outlines, ROAD_SQUARE)).map(({ from, to, path }) => ({
    type: "LineString",
    arcs: [arcs.line(simplified(path.map(toVertex), 500))],
    properties: roadBetween(places[from], places[to]),
  }));
  return textOf(
    {
      admin_level_2: collection(
        large.map(({ place, rings: { shells, holes } }) => geometry(place.code, polygons(shells, holes), { name: place.name })),
      ),
      admin_level_4: collection(
        small.map(({ site, rings }) =>
          geometry(site?.code ?? 0, polygons(rings, []), {
            name: site?.name,
            parent: site?.place.code,
            easting: site?.easting,
            northing: site?.northing,
            weight: site?.weight,
          }),
        ),
      ),
      roads: collection(roads),
    },
    arcs,
  );
}

/** Returns the function from metres to vertices. It begins to search in the middle of the places. */
function unprojected(crs: Crs, places: readonly SamplePlace[]) {
  const mean = (axis: "lon" | "lat"): number => places.reduce((sum, place) => sum + place[axis], 0) / places.length;
  const middle = [mean("lon"), mean("lat")] as const;
  return (position: { readonly easting: number; readonly northing: number }): Vertex => {
    const [lon, lat] = unproject(crs, position, middle);
    return [Math.round(lon * 1e5), Math.round(lat * 1e5)];
  };
}

/** Returns the name and the class of the road between two places. */
function roadBetween(a: SamplePlace | undefined, b: SamplePlace | undefined): { name: string; class: string } {
  const lesser = Math.min(a?.population ?? 0, b?.population ?? 0);
  return { name: `${a?.name}–${b?.name}`, class: lesser >= 25_000 ? "trunk" : lesser >= 6000 ? "primary" : "secondary" };
}

/** Returns one polygon for each shell. A hole belongs to the only shell; an area with a hole in one of several shells does not occur. */
function polygons(shells: readonly ArcRing[], holes: readonly ArcRing[]): ArcRing[][] {
  if (holes.length > 0 && shells.length > 1) throw new Error("an area in several parts has a hole");
  return shells.map((shell) => [shell, ...holes]);
}

function geometry(id: number, arcs: readonly (readonly ArcRing[])[], properties: object) {
  return { type: "MultiPolygon", id, arcs, properties };
}

function collection(geometries: readonly object[]) {
  return { type: "GeometryCollection", geometries };
}

/** Returns TopoJSON with a line for each geometry and each arc, so that a change is a few lines. */
function textOf(objects: Readonly<Record<string, { readonly type: string; readonly geometries: readonly object[] }>>, arcs: Arcs): string {
  const lines = (items: readonly unknown[]): string => items.map((item) => JSON.stringify(item)).join(",\n");
  const collections = Object.entries(objects).map(
    ([name, { type, geometries }]) => `"${name}":{"type":"${type}","geometries":[\n${lines(geometries)}\n]}`,
  );
  const deltas = arcs.lines.map((line) => line.map(([x, y], index) => [x - (line[index - 1]?.[0] ?? 0), y - (line[index - 1]?.[1] ?? 0)]));
  return `{"type":"Topology","transform":{"scale":[0.00001,0.00001],"translate":[0,0]},"objects":{\n${collections.join(",\n")}\n},"arcs":[\n${lines(deltas)}\n]}\n`;
}
