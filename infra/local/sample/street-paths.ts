import { CITIES, type City } from "./cities.ts";
import { BLOCK, cityOrigin, extentAt } from "./city-areas.ts";
import { CITY_STREETS, type CityStreets } from "./streets.ts";

/**
 * A street as a path in metres: a straight line from (east, north) along (alongEast, alongNorth), or a circle around (east, north) if
 * `radius` is above 0.
 */
export interface StreetPath {
  readonly city: City;
  readonly cityNumber: number;
  /** Number of the street in its city. It is part of its links' ids. */
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
  /** How much busier one direction is at rush hour, thousandths: 1000 for a street that leads into the city. */
  readonly inward: number;
  /** Whether its links are slightly bent. */
  readonly bent: boolean;
}

type Shape = Omit<StreetPath, "city" | "cityNumber" | "street">;

const CENTRE_LINK = 400;
const RADIAL_FROM = 1100;

/** Returns every named street at a scale. The centre's streets are the same at all scales. Radial streets reach the sample's edge. */
export function streetPaths(scale: number): StreetPath[] {
  return CITIES.flatMap((city, index) => {
    const streets = CITY_STREETS[index];
    if (!streets) throw new Error(`no streets for ${city.core.name}`);
    const shapes = [...centreStreets(city, streets), ...rings(city, streets), ...radials(city, streets, scale)];
    return shapes.map((shape, street) => ({ ...shape, city, cityNumber: index + 1, street: street + 1 }));
  });
}

/**
 * Returns the streets of the centre. The middle link of the main street is at the exact centre and has no crossing within 100 m of it, so
 * that there is only one nearest link.
 */
function centreStreets(city: City, { main, parallel, crossing }: CityStreets): Shape[] {
  const aside = (index: number): number => 200 * (index % 2 === 0 ? index / 2 + 1 : -(index + 1) / 2);
  return [
    straightThrough(city, main.name, "pedestrian", main.bearing, 0),
    ...parallel.map((name, index) => straightThrough(city, name, "residential", main.bearing, aside(index))),
    ...crossing.map((name, index) =>
      straightThrough(city, name, index % 2 ? "residential" : "tertiary", main.bearing + 90, aside(index) - 100),
    ),
  ];
}

function straightThrough({ centre }: City, name: string, roadClass: string, bearing: number, aside: number): Shape {
  const [east, north] = direction(bearing);
  const half = 1.5 * CENTRE_LINK;
  return {
    ...{ name, roadClass, radius: 0, links: 3, linkLength: CENTRE_LINK, inward: 300, bent: false },
    ...{
      east: centre.east - east * half + north * aside,
      north: centre.north - north * half - east * aside,
      alongEast: east,
      alongNorth: north,
    },
  };
}

function rings({ centre }: City, streets: CityStreets): Shape[] {
  return streets.rings.map(([name, roadClass, radius]) => {
    const links = Math.round((2 * Math.PI * radius) / 900);
    const linkLength = (2 * Math.PI * radius) / links;
    const position = { east: centre.east, north: centre.north, alongEast: 0, alongNorth: 0 };
    return { name, roadClass, radius, links, linkLength, inward: 200, bent: false, ...position };
  });
}

/** Returns the streets from the edge of the sample towards the centre. Their direction 1 leads into the city. */
function radials(city: City, streets: CityStreets, scale: number): Shape[] {
  return streets.radials.map(([name, roadClass, bearing]) => {
    const [east, north] = direction(bearing);
    const reach = distanceToEdge(city, scale, east, north) - 50;
    const links = Math.max(1, Math.round((reach - RADIAL_FROM) / 1000));
    const start = { east: city.centre.east + east * reach, north: city.centre.north + north * reach, alongEast: -east, alongNorth: -north };
    return {
      name,
      roadClass,
      radius: 0,
      links,
      linkLength: Math.max(200, reach - RADIAL_FROM) / links,
      inward: 1000,
      bent: true,
      ...start,
    };
  });
}

function distanceToEdge(city: City, scale: number, east: number, north: number): number {
  const origin = cityOrigin(city);
  const extent = extentAt(city, scale);
  const alongAxis = (at: number, along: number, least: number, most: number): number =>
    along > 0 ? (most - at) / along : along < 0 ? (least - at) / along : Number.POSITIVE_INFINITY;
  return Math.min(
    alongAxis(city.centre.east, east, origin.east - extent.west * BLOCK, origin.east + extent.east * BLOCK),
    alongAxis(city.centre.north, north, origin.north - extent.south * BLOCK, origin.north + extent.north * BLOCK),
  );
}

function direction(bearing: number): [east: number, north: number] {
  const angle = (bearing * Math.PI) / 180;
  return [Math.sin(angle), Math.cos(angle)];
}
