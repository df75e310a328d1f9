/** Returns a location as BigQuery writes it: multi-regions in upper case, regions in lower case. */
export function canonicalLocation(location: string): string {
  return /^(eu|us)$/i.test(location) ? location.toUpperCase() : location.toLowerCase();
}

/** The location of jobs and datasets that name none. */
export const DEFAULT_LOCATION = "US";
