import type { SampleCountry } from "./rules.ts";

/** A municipality: its national code and its name. */
export interface Municipality {
  readonly code: number;
  readonly name: string;
}

/** A point on the city's main street: in degrees, and in metres of the country's grid. */
interface Centre {
  readonly name: string;
  readonly lon: number;
  readonly lat: number;
  readonly east: number;
  readonly north: number;
}

/** Four sides of a rectangle around a city, in blocks of 2 km. */
export interface Sides<Value> {
  readonly west: Value;
  readonly east: Value;
  readonly south: Value;
  readonly north: Value;
}

/** A city of the sample data. */
export interface City {
  readonly country: SampleCountry["code"];
  readonly core: Municipality;
  readonly centre: Centre;
  /** Devices in the busiest 250 m cell, and the distance in metres at which that number has fallen to 37 %. */
  readonly crowd: { readonly peak: number; readonly reach: number };
  /** Blocks covered on each side at scale 1. */
  readonly extent: Sides<number>;
  /** Sides that end at the sea. They do not grow with scales above 1. */
  readonly sea: readonly (keyof Sides<number>)[];
  /** Blocks of the core municipality on each side, and the neighbour beyond them. A side without a neighbour belongs to the core. */
  readonly coreExtent: Sides<number>;
  readonly neighbours: Partial<Sides<Municipality>>;
}

const TWO: Sides<number> = { west: 2, east: 2, south: 2, north: 2 };
const ONE: Sides<number> = { west: 1, east: 1, south: 1, north: 1 };
const THREE: Sides<number> = { west: 3, east: 3, south: 3, north: 3 };

/** Codes: EHAK (Estonia), ATVK (Latvia, without leading zeros), Statistics Norway 2024. The first city of a country is its capital. */
export const CITIES: readonly City[] = [
  {
    country: "EST",
    core: { code: 784, name: "Tallinn" },
    centre: { name: "Vanalinn", lon: 24.7453, lat: 59.437, east: 5152553, north: 4124101 },
    crowd: { peak: 210, reach: 2100 },
    extent: { west: 4, east: 4, south: 4, north: 1 },
    sea: ["north"],
    coreExtent: THREE,
    neighbours: {
      west: { code: 198, name: "Harku vald" },
      east: { code: 446, name: "Maardu linn" },
      south: { code: 653, name: "Rae vald" },
    },
  },
  {
    country: "EST",
    core: { code: 793, name: "Tartu linn" },
    centre: { name: "Kesklinn", lon: 26.7225, lat: 58.38, east: 5290480, north: 4034309 },
    crowd: { peak: 130, reach: 1400 },
    extent: TWO,
    sea: [],
    coreExtent: ONE,
    neighbours: {
      west: { code: 528, name: "Nõo vald" },
      east: { code: 432, name: "Luunja vald" },
      south: { code: 283, name: "Kambja vald" },
      north: { code: 796, name: "Tartu vald" },
    },
  },
  {
    country: "EST",
    core: { code: 624, name: "Pärnu linn" },
    centre: { name: "Rannarajoon", lon: 24.4966, lat: 58.3859, east: 5163559, north: 4006588 },
    crowd: { peak: 90, reach: 1200 },
    extent: { west: 1, east: 2, south: 1, north: 2 },
    sea: ["west", "south"],
    coreExtent: ONE,
    neighbours: { east: { code: 809, name: "Tori vald" }, north: { code: 638, name: "Põhja-Pärnumaa vald" } },
  },
  {
    country: "LAT",
    core: { code: 1000, name: "Rīga" },
    centre: { name: "Vecrīga", lon: 24.1052, lat: 56.9496, east: 5173769, north: 3845095 },
    crowd: { peak: 230, reach: 2200 },
    extent: { west: 3, east: 4, south: 3, north: 3 },
    sea: [],
    coreExtent: { west: 2, east: 3, south: 2, north: 2 },
    neighbours: {
      west: { code: 39000, name: "Mārupes novads" },
      east: { code: 44000, name: "Ropažu novads" },
      south: { code: 34000, name: "Ķekavas novads" },
      north: { code: 23000, name: "Ādažu novads" },
    },
  },
  {
    country: "LAT",
    core: { code: 2000, name: "Daugavpils" },
    centre: { name: "Daugavpils cietoksnis", lon: 26.5362, lat: 55.8747, east: 5346117, north: 3759817 },
    crowd: { peak: 95, reach: 1300 },
    extent: { west: 1, east: 2, south: 1, north: 2 },
    sea: [],
    coreExtent: ONE,
    neighbours: { north: { code: 22000, name: "Augšdaugavas novads" } },
  },
  {
    country: "LAT",
    core: { code: 5000, name: "Liepāja" },
    centre: { name: "Vecliepāja", lon: 21.0108, lat: 56.5047, east: 4996493, north: 3763231 },
    crowd: { peak: 90, reach: 1200 },
    extent: { west: 1, east: 2, south: 1, north: 2 },
    sea: ["west"],
    coreExtent: ONE,
    neighbours: { east: { code: 27000, name: "Dienvidkurzemes novads" } },
  },
  {
    country: "NOR",
    core: { code: 301, name: "Oslo" },
    centre: { name: "Sentrum", lon: 10.7461, lat: 59.9127, east: 262211, north: 6649332 },
    crowd: { peak: 260, reach: 2300 },
    extent: { west: 3, east: 4, south: 2, north: 4 },
    sea: [],
    coreExtent: { west: 2, east: 3, south: 1, north: 3 },
    neighbours: {
      west: { code: 3201, name: "Bærum" },
      east: { code: 3222, name: "Lørenskog" },
      south: { code: 3212, name: "Nesodden" },
      north: { code: 3232, name: "Nittedal" },
    },
  },
  {
    country: "NOR",
    core: { code: 4601, name: "Bergen" },
    centre: { name: "Bryggen", lon: 5.3242, lat: 60.3929, east: -31976, north: 6734361 },
    crowd: { peak: 140, reach: 1500 },
    extent: { west: 1, east: 2, south: 2, north: 2 },
    sea: ["west"],
    coreExtent: ONE,
    neighbours: {
      east: { code: 4623, name: "Samnanger" },
      south: { code: 4624, name: "Bjørnafjorden" },
      north: { code: 4631, name: "Alver" },
    },
  },
  {
    country: "NOR",
    core: { code: 5001, name: "Trondheim" },
    centre: { name: "Midtbyen", lon: 10.3951, lat: 63.4305, east: 270340, north: 7041816 },
    crowd: { peak: 120, reach: 1400 },
    extent: { west: 1, east: 2, south: 2, north: 1 },
    sea: ["north"],
    coreExtent: ONE,
    neighbours: {
      east: { code: 5031, name: "Malvik" },
      south: { code: 5028, name: "Melhus" },
    },
  },
];
