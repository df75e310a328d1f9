/** A location as BigQuery writes it: multi-regions in capitals, regions in small letters. */
export function canonicalLocation(location: string): string {
  return /^(eu|us)$/i.test(location) ? location.toUpperCase() : location.toLowerCase();
}

/** Where a job runs, and a dataset lies, that names nothing else. */
export const DEFAULT_LOCATION = "US";
