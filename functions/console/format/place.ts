/** A place on the ground, in degrees. */
export interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** Reads a place as people type it: latitude and longitude, with a comma, a semicolon or blanks between. Undefined for anything else. */
export function placeOf(typed: string): Place | undefined {
  const parts = typed.trim().split(/\s*[,;]\s*|\s+/);
  const [lat = Number.NaN, lon = Number.NaN] = parts.map((part) => (part === "" ? Number.NaN : Number(part)));
  return parts.length === 2 && Number.isFinite(lat) && Number.isFinite(lon) ? { lat, lon } : undefined;
}
