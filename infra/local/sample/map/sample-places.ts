import data from "./places.json" with { type: "json" };

/** A real place of the sample: a town with the code of its municipality, its coordinates in degrees and its rough population. */
export interface SamplePlace {
  readonly code: number;
  readonly name: string;
  readonly lon: number;
  readonly lat: number;
  readonly population: number;
}

/** The places of each country, largest first. The first is the capital. */
export const SAMPLE_PLACES: Readonly<Record<"EST" | "LAT" | "NOR", readonly SamplePlace[]>> = data.places;
