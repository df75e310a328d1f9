/** Measures that a day takes over its hours: they need types with hours. */
const OVER_HOURS = ["avg_unique_people", "max_unique_people"];

/** What a country offers of a product. */
interface Offer {
  readonly agg_type: string;
  readonly geo_types: readonly string[];
  /** Those of them that have hours. */
  readonly hourly_geo_types: readonly string[];
}

/** The geography types that a product has for a measure and an activity type: a country of the strict profile has no hours of its finest. */
export function geoTypesOf(
  { agg_type, geo_types, hourly_geo_types }: Offer,
  { measure, activityType }: { readonly measure: string; readonly activityType: string },
): readonly string[] {
  const needsHours = agg_type === "activities" && (activityType === "hourly" || OVER_HOURS.includes(measure));
  return needsHours ? hourly_geo_types : geo_types;
}
