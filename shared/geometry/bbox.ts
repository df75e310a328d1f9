/** A box in degrees (WGS 84): west, south, east, north. */
export type Bbox = readonly [west: number, south: number, east: number, north: number];

export type ParsedBbox = { readonly ok: true; readonly bbox: Bbox } | { readonly ok: false; readonly details: readonly string[] };

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const DEGREES = "[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?";
/** Four decimal numbers, in any regex dialect. Their ranges and their order are beyond a pattern. */
export const BBOX_PATTERN = `^${DEGREES}(,${DEGREES}){3}$`;
const SIDES = [
  { name: "west", limit: 180 },
  { name: "south", limit: 90 },
  { name: "east", limit: 180 },
  { name: "north", limit: 90 },
] as const;
const SEEN_MAX = 24;

/** Parses `west,south,east,north`. Returns a detail for every error. A box may be a line or a point. */
export function parseBbox(text: string): ParsedBbox {
  const parts = text === "" ? [] : text.split(",");
  if (parts.length !== SIDES.length)
    return { ok: false, details: [`must be four numbers, west,south,east,north in degrees; it has ${parts.length}`] };
  const sides = SIDES.map((side, index) => readSide(parts[index] ?? "", side));
  const errors = sides.filter((side) => typeof side === "string");
  const [west = 0, south = 0, east = 0, north = 0] = sides.filter((side) => typeof side === "number");
  if (errors.length > 0) return { ok: false, details: errors };
  const details = [
    ...(west > east ? [`west (${west}) must not be greater than east (${east}); a box across the 180th meridian takes two requests`] : []),
    ...(south > north ? [`south (${south}) must not be greater than north (${north})`] : []),
  ];
  return details.length > 0 ? { ok: false, details } : { ok: true, bbox: [west, south, east, north] };
}

/** Returns the number of a side, or what is wrong with it. */
function readSide(text: string, { name, limit }: (typeof SIDES)[number]): number | string {
  const value = Number(text);
  const seen = text.length > SEEN_MAX ? `${text.slice(0, SEEN_MAX)}...` : text;
  if (!DECIMAL.test(text) || !Number.isFinite(value)) return `${name} must be a finite number of degrees, not ${JSON.stringify(seen)}`;
  if (Math.abs(value) > limit) return `${name} must be from -${limit} to ${limit} degrees, not ${seen}`;
  return value;
}
