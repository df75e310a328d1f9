import type { CountryRules, GeoType } from "../countries/country-rules.ts";

/** A value that does not go with the country, and those that do. */
export interface Unsupported {
  readonly pointer: string;
  readonly detail: string;
  readonly allowed: readonly string[];
}

/** What of an Activities request the country does not offer; empty when it is all right. */
export function unsupportedActivities(code: string, rules: CountryRules, geoType: GeoType): Unsupported[] {
  if (!rules.activities) return [noProduct(code, rules)];
  return unsupportedType(code, "activities", "/geo_type", geoType, rules.activities.geoTypes);
}

/** What of an ODM request the country does not offer; empty when it is all right. */
export function unsupportedOdm(code: string, rules: CountryRules, origin: GeoType, destination: GeoType): Unsupported[] {
  if (!rules.odm) return [noProduct(code, rules)];
  const { geoTypes, mixed } = rules.odm;
  const faults = [
    ...unsupportedType(code, "odm", "/origin_geo_type", origin, geoTypes),
    ...unsupportedType(code, "odm", "/destination_geo_type", destination, geoTypes),
  ];
  if (faults.length > 0 || mixed || origin === destination) return faults;
  return [{ pointer: "/destination_geo_type", detail: `must be the same as origin_geo_type in ${code}`, allowed: [origin] }];
}

/** What of a Flow request the country does not offer; empty when it is all right. */
export function unsupportedFlow(code: string, rules: CountryRules): Unsupported[] {
  return rules.flow ? [] : [noProduct(code, rules)];
}

function noProduct(code: string, { activities, odm, flow }: CountryRules): Unsupported {
  const products = Object.entries({ activities, odm, flow }).flatMap(([name, rules]) => (rules ? [name] : []));
  return {
    pointer: "/agg_type",
    detail: `is not offered for ${code}; it offers ${products.join(", ") || "nothing yet"}`,
    allowed: products,
  };
}

function unsupportedType(code: string, product: string, pointer: string, type: GeoType, allowed: readonly GeoType[]): Unsupported[] {
  return allowed.includes(type) ? [] : [{ pointer, detail: `must be one of ${allowed.join(", ")} for ${product} in ${code}`, allowed }];
}
