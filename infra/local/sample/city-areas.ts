import { CITIES, type City, type Municipality, type Sides } from "./cities.ts";

/** Side of a block, metres. An admin_level_4 area of the sample is one block. */
export const BLOCK = 2000;
/** Blocks are counted from the south-west. Block 50 contains the city's centre, so that no index is negative. */
export const CENTRE_BLOCK = 50;

/** A municipality's part of the sample: a rectangle of blocks. The upper ends are exclusive. */
export interface CityArea {
  readonly city: City;
  /** Position of the city in the list of cities, from 1. */
  readonly cityNumber: number;
  readonly municipality: Municipality;
  readonly blocks: Sides<number>;
}

/** Returns the south-west corner, in metres, of the block that contains the city's centre. It is aligned to the 1 km grid. */
export function cityOrigin(city: City): { readonly east: number; readonly north: number } {
  return { east: Math.floor(city.centre.east / 1000) * 1000, north: Math.floor(city.centre.north / 1000) * 1000 };
}

/**
 * Returns the rectangles that each city covers at a scale (1 to 100, or less for small tests), without gaps or overlaps: the core, and the
 * neighbours arranged around it like the vanes of a windmill.
 */
export function cityAreas(scale: number): CityArea[] {
  return CITIES.flatMap((city, index) => areasOf(city, scale).map((area) => ({ ...area, city, cityNumber: index + 1 })));
}

/** Returns the number of blocks on each side of a city's origin at a scale. */
export function extentAt(city: City, scale: number): Sides<number> {
  const grown = (side: keyof Sides<number>): number =>
    city.sea.includes(side) && scale > 1 ? city.extent[side] : Math.max(1, Math.round(city.extent[side] * Math.sqrt(scale)));
  return { west: grown("west"), east: grown("east"), south: grown("south"), north: grown("north") };
}

function areasOf(city: City, scale: number): Pick<CityArea, "municipality" | "blocks">[] {
  const extent = extentAt(city, scale);
  const side = (name: keyof Sides<number>): number =>
    city.neighbours[name] ? Math.min(city.coreExtent[name], extent[name]) : extent[name];
  const outer = around(extent);
  const inner = around({ west: side("west"), east: side("east"), south: side("south"), north: side("north") });
  const vanes: Sides<Sides<number>> = {
    north: { west: outer.west, east: inner.east, south: inner.north, north: outer.north },
    east: { west: inner.east, east: outer.east, south: inner.south, north: outer.north },
    south: { west: inner.west, east: outer.east, south: outer.south, north: inner.south },
    west: { west: outer.west, east: inner.west, south: outer.south, north: inner.north },
  };
  const { neighbours } = city;
  return [
    { municipality: city.core, blocks: inner },
    ...(neighbours.north ? [{ municipality: neighbours.north, blocks: vanes.north }] : []),
    ...(neighbours.east ? [{ municipality: neighbours.east, blocks: vanes.east }] : []),
    ...(neighbours.south ? [{ municipality: neighbours.south, blocks: vanes.south }] : []),
    ...(neighbours.west ? [{ municipality: neighbours.west, blocks: vanes.west }] : []),
  ].filter(({ blocks }) => blocks.west < blocks.east && blocks.south < blocks.north);
}

function around(extent: Sides<number>): Sides<number> {
  return {
    west: CENTRE_BLOCK - extent.west,
    east: CENTRE_BLOCK + extent.east,
    south: CENTRE_BLOCK - extent.south,
    north: CENTRE_BLOCK + extent.north,
  };
}
