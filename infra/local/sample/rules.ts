import * as v from "valibot";
import type { DistanceRule, GeoType } from "../../../shared/countries/country-rules.ts";
import { stepOf } from "../../../shared/countries/step.ts";
import { CRSS, type Crs } from "../../../shared/geometry/crs.ts";
import countries from "../../countries.json" with { type: "json" };

/** A country with sample data: its rules and the factor from devices to people. */
export interface SampleCountry {
  readonly code: "EST" | "LAT" | "NOR";
  readonly timeZone: string;
  readonly k: number;
  /** The step of published people. */
  readonly step: number;
  readonly crs: Crs;
  /** Added to the easting inside a grid id, metres. */
  readonly eastingOffset: number;
  /** The code of an admin_level_4 area is that of its municipality times this, and a number. */
  readonly codesOfArea: number;
  /** People per 1000 devices: the inverse of the operator's market share. The greatest that its rules allow. */
  readonly peopleOfThousand: number;
  readonly activities: readonly string[];
  readonly odm: readonly string[];
  readonly mixedPairs: boolean;
  readonly distance: DistanceRule;
  readonly speed: boolean;
}

interface Rules {
  readonly time_zone: string;
  readonly k: number;
  readonly people_per_device: number;
  readonly grid: { readonly crs: string; readonly easting_offset?: number };
  readonly activities: { readonly geo_types: readonly string[] };
  readonly odm: { readonly geo_types: readonly string[]; readonly mixed: boolean; readonly distance: string; readonly speed: boolean };
}

const Distance: v.GenericSchema<unknown, DistanceRule> = v.picklist(["centroids", "none"]);

/** The countries with sample data, in the order of their codes. */
export const SAMPLE_COUNTRIES: readonly SampleCountry[] = [
  sampleCountry("EST", countries.EST),
  sampleCountry("LAT", countries.LAT),
  sampleCountry("NOR", countries.NOR),
];

/** The levels that nest within each other, finest first. */
export const LEVELS = ["grid_250m", "grid_1000m", "admin_level_4", "admin_level_2"] as const satisfies readonly GeoType[];
export type Level = (typeof LEVELS)[number];

/** Returns the finest level among the geography types of a product. Throws if none of them is a level. */
export function finestOf(geoTypes: readonly string[]): Level {
  const finest = LEVELS.find((level) => geoTypes.includes(level));
  if (!finest) throw new Error(`none of ${geoTypes.join(", ")} is a level`);
  return finest;
}

function sampleCountry(code: SampleCountry["code"], rules: Rules): SampleCountry {
  return {
    code,
    timeZone: rules.time_zone,
    k: rules.k,
    step: stepOf({ k: rules.k, peopleOfDevice: rules.people_per_device, isProtected: false, isStrict: false }),
    crs: v.parse(v.picklist(CRSS), rules.grid.crs),
    eastingOffset: rules.grid.easting_offset ?? 0,
    codesOfArea: code === "LAT" ? 1000 : 10_000,
    peopleOfThousand: Math.round(rules.people_per_device * 1000),
    activities: rules.activities.geo_types,
    odm: rules.odm.geo_types,
    mixedPairs: rules.odm.mixed,
    distance: v.parse(Distance, rules.odm.distance),
    speed: rules.odm.speed,
  };
}
