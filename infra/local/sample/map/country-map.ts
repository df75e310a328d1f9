import type { Position } from "../../../../shared/geometry/crs.ts";
import type { Point } from "../../../../shared/geometry/polygon.ts";
import { project } from "../../../../shared/geometry/projection.ts";
import { SAMPLE_COUNTRIES, type SampleCountry } from "../rules.ts";
import est from "./generated/EST.json" with { type: "json" };
import lat from "./generated/LAT.json" with { type: "json" };
import nor from "./generated/NOR.json" with { type: "json" };
import { type Run, runsInside } from "./land-runs.ts";
import { SAMPLE_PLACES, type SamplePlace } from "./sample-places.ts";
import { arcsOf, lineOf, type Topology } from "./topology.ts";

/** An area with invented boundaries. */
export interface Area {
  readonly geoType: "admin_level_2" | "admin_level_4";
  readonly code: number;
  readonly name: string;
  /** The municipality of an admin_level_4 area. */
  readonly parent: number | undefined;
  /** Polygons of closed rings in degrees, the shell first. */
  readonly polygons: readonly (readonly (readonly Point[])[])[];
}

/** What an admin_level_4 area is nearest to: a position in metres, with a weight in square metres. */
export interface Site extends Position {
  readonly code: number;
  readonly name: string;
  readonly municipality: number;
  readonly weight: number;
}

/** A place with its position in metres: on land, also where the simplified coast has the place in the water. */
export interface PlacedPlace extends SamplePlace, Position {}

/** A road between two places. */
export interface Road {
  readonly name: string;
  readonly roadClass: string;
  readonly line: readonly Point[];
}

/** A country of the sample: real places and coast, invented boundaries and roads. */
export interface CountryMap {
  readonly country: SampleCountry;
  readonly places: readonly PlacedPlace[];
  readonly areas: readonly Area[];
  readonly sites: readonly Site[];
  readonly roads: readonly Road[];
  /** The 250 m cells whose middle is on land, and the same by the northing of their row. */
  readonly land: readonly Run[];
  readonly landRows: ReadonlyMap<number, readonly Run[]>;
}

const LAND_CELL = 250;
const TOPOLOGIES: Readonly<Record<SampleCountry["code"], Topology>> = { EST: est, LAT: lat, NOR: nor };
const maps = new Map<string, CountryMap>();

/** Returns the maps of all countries of the sample. The first call reads them. */
export function countryMaps(): CountryMap[] {
  return SAMPLE_COUNTRIES.map((country) => {
    const map = maps.get(country.code) ?? readMap(country);
    maps.set(country.code, map);
    return map;
  });
}

function readMap(country: SampleCountry): CountryMap {
  const topology = TOPOLOGIES[country.code];
  const arcs = arcsOf(topology);
  const polygons = (areas: readonly (readonly (readonly number[])[])[]) => areas.map((rings) => rings.map((ring) => lineOf(ring, arcs)));
  const { admin_level_2: large, admin_level_4: small, roads } = topology.objects;
  const areas: Area[] = [
    ...large.geometries.map(({ id, properties: { name }, arcs: rings }) => ({
      ...{ geoType: "admin_level_2" as const, code: id, name, parent: undefined },
      polygons: polygons(rings),
    })),
    ...small.geometries.map(({ id, properties: { name, parent }, arcs: rings }) => ({
      ...{ geoType: "admin_level_4" as const, code: id, name, parent },
      polygons: polygons(rings),
    })),
  ];
  const metres = arcs.map((arc) => arc.map((point) => project(country.crs, point)));
  const land = runsInside(coastOf(topology, metres), LAND_CELL);
  const rows = Map.groupBy(land, ({ northing }) => northing);
  return {
    country,
    places: SAMPLE_PLACES[country.code].map((place) => ({ ...place, ...ashore(project(country.crs, [place.lon, place.lat]), land, rows) })),
    areas,
    sites: small.geometries.map(({ id, properties: { name, parent, easting, northing, weight } }) => ({
      ...{ code: id, name, municipality: parent },
      ...{ easting, northing, weight },
    })),
    roads: roads.geometries.map(({ properties, arcs: line }) => ({
      name: properties.name,
      roadClass: properties.class,
      line: lineOf(line, arcs),
    })),
    land,
    landRows: rows,
  };
}

/** Returns the arcs that only one area has, as lines: the borders of the land. */
function coastOf(topology: Topology, metres: readonly (readonly Position[])[]): (readonly Position[])[] {
  const used = topology.objects.admin_level_4.geometries.flatMap(({ arcs }) => arcs.flat(2));
  const directed = new Set(used);
  return used.filter((arc) => !directed.has(~arc)).map((arc) => metres[arc < 0 ? ~arc : arc] ?? []);
}

/** Returns a position on land: the same one, or the middle of the nearest stretch of land that is three cells wide. */
function ashore(position: Position, land: readonly Run[], rows: CountryMap["landRows"]): Position {
  const { easting, northing } = position;
  const column = Math.floor(easting / LAND_CELL) * LAND_CELL;
  const row = Math.floor(northing / LAND_CELL) * LAND_CELL;
  if (rows.get(row)?.some(({ first, last }) => first <= column && column <= last)) return position;
  let nearest = position;
  let least = Number.POSITIVE_INFINITY;
  for (const { northing: south, first, last } of land) {
    if (last - first < 2 * LAND_CELL || Math.abs(south - northing) > least) continue;
    const middle = Math.min(Math.max(easting, first + 1.5 * LAND_CELL), last - 0.5 * LAND_CELL);
    const distance = Math.hypot(middle - easting, south + LAND_CELL / 2 - northing);
    if (distance < least) [nearest, least] = [{ easting: middle, northing: south + LAND_CELL / 2 }, distance];
  }
  return nearest;
}
