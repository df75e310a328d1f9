import { type Town, townsAt } from "./cells.ts";
import { streetsOf, type TownStreets } from "./streets.ts";

/**
 * A street as a path in metres: a straight line from (east, north) along (alongEast, alongNorth), or a circle around (east, north) if
 * `radius` is above 0.
 */
export interface StreetPath {
  readonly town: Town;
  /** Number of the street in its town. It is part of its links' ids. */
  readonly street: number;
  readonly name: string;
  readonly roadClass: string;
  readonly east: number;
  readonly north: number;
  readonly alongEast: number;
  readonly alongNorth: number;
  readonly radius: number;
  readonly links: number;
  readonly linkLength: number;
  /** How much busier one direction is at rush hour, thousandths: 1000 for a street that leads into the town. */
  readonly inward: number;
  /** Whether its links are slightly bent. */
  readonly bent: boolean;
}

type Shape = Omit<StreetPath, "town" | "street">;

const CENTRE_LINK = 400;
const RADIAL_FROM = 1100;

/** Returns every street of the towns at a scale. The centre's streets are the same at all scales. Radial streets reach the town's edge. */
export function streetPaths(scale: number): StreetPath[] {
  return townsAt(scale).flatMap((town) => {
    const { map, place } = town;
    const streets = streetsOf(map.country.code, place.name, place.code);
    const shapes = [...centreStreets(town, streets), ...rings(town, streets), ...radials(town, streets)];
    return shapes.map((shape, street) => ({ ...shape, town, street: street + 1 }));
  });
}

/**
 * Returns the streets of the centre, of three links each, in smaller towns of one. The middle link of the main street is at the exact centre and has no crossing within 100 m of it, so
 * that there is only one nearest link.
 */
function centreStreets(town: Town, { main, parallel, crossing }: TownStreets): Shape[] {
  const links = parallel.length > 0 ? 3 : 1;
  const aside = (index: number): number => 200 * (index % 2 === 0 ? index / 2 + 1 : -(index + 1) / 2);
  return [
    straightThrough(town, main.name, "pedestrian", main.bearing, 0, links),
    ...parallel.map((name, index) => straightThrough(town, name, "residential", main.bearing, aside(index), links)),
    ...crossing.map((name, index) =>
      straightThrough(town, name, index % 2 ? "residential" : "tertiary", main.bearing + 90, aside(index) - 100, links),
    ),
  ];
}

function straightThrough({ place }: Town, name: string, roadClass: string, bearing: number, aside: number, links: number): Shape {
  const [east, north] = direction(bearing);
  const half = (links / 2) * CENTRE_LINK;
  return {
    ...{ name, roadClass, radius: 0, links, linkLength: CENTRE_LINK, inward: 300, bent: false },
    ...{
      east: place.easting - east * half + north * aside,
      north: place.northing - north * half - east * aside,
      alongEast: east,
      alongNorth: north,
    },
  };
}

function rings({ place }: Town, streets: TownStreets): Shape[] {
  return streets.rings.map(([name, roadClass, radius]) => {
    const links = Math.round((2 * Math.PI * radius) / 900);
    const linkLength = (2 * Math.PI * radius) / links;
    const position = { east: place.easting, north: place.northing, alongEast: 0, alongNorth: 0 };
    return { name, roadClass, radius, links, linkLength, inward: 200, bent: false, ...position };
  });
}

/** Returns the streets from the edge of the town towards its middle. Their direction 1 leads into the town. */
function radials({ place, reach }: Town, streets: TownStreets): Shape[] {
  const edge = Math.min(25_000, 2500 + 1.6 * reach);
  return streets.radials.map(([name, roadClass, bearing]) => {
    const [east, north] = direction(bearing);
    const links = Math.max(1, Math.round((edge - RADIAL_FROM) / 1000));
    const start = {
      ...{ east: place.easting + east * edge, north: place.northing + north * edge },
      ...{ alongEast: -east, alongNorth: -north },
    };
    return { name, roadClass, radius: 0, links, linkLength: (edge - RADIAL_FROM) / links, inward: 1000, bent: true, ...start };
  });
}

function direction(bearing: number): [east: number, north: number] {
  const angle = (bearing * Math.PI) / 180;
  return [Math.sin(angle), Math.cos(angle)];
}
