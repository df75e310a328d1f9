import type { City } from "./cities.ts";
import { BLOCK, CENTRE_BLOCK, type CityArea, cityAreas, cityOrigin } from "./city-areas.ts";
import { constants, double, uniform } from "./literals.ts";
import { SAMPLE_COUNTRIES } from "./rules.ts";

/** The options that decide the sample's places and how busy they are. */
export interface SampleSize {
  readonly seed: number;
  /** Scale 1 has about 12,000 cells of 250 m, a quarter of them inhabited. The area grows with the scale, up to 100. */
  readonly scale: number;
}

const CELL = 250;
const CELLS_OF_BLOCK = BLOCK / CELL;

/** Throws a RangeError if the seed is not a whole number from 0, or if cities would vanish or overlap at the scale. */
export function checkSize({ seed, scale }: SampleSize): void {
  if (!Number.isSafeInteger(seed) || seed < 0) throw new RangeError(`seed must be a whole number from 0, not ${seed}`);
  if (!(scale >= 0.05 && scale <= 100)) throw new RangeError(`scale must be from 0.05 to 100, not ${scale}`);
}

/**
 * Returns a query for the 250 m cells of a scale: country, city (its number), l2, l2_name, l4, l4_name, km_id, cell_id, the south-west
 * corners in metres of the cell (east, north), its km cell (km_east, km_north) and its block (block_east, block_north), and the devices at
 * the busiest hour due to `work` and due to `home`. Both are 0 in an uninhabited cell.
 */
export function cellsQuery({ seed, scale }: SampleSize): string {
  const areas = constants("area", AREA_COLUMNS, cityAreas(scale).map(areaRow));
  const lattice = `SELECT *, unnest(range(south, north)) AS v FROM (SELECT *, unnest(range(west, east)) AS u FROM ${areas})`;
  const corners = ["east", "north"].flatMap((axis) => {
    const [zero, index] = [`zero_${axis}`, axis === "east" ? "u" : "v"];
    return [
      `${zero} + ${index} * ${CELL} AS ${axis}`,
      `${zero} + ${index} // 4 * 1000 AS km_${axis}`,
      `${zero} + ${index} // 8 * 2000 AS block_${axis}`,
    ];
  });
  const placed = `SELECT * EXCLUDE (west, east, south, north), ${corners.join(", ")}, u // ${CELLS_OF_BLOCK} AS x, v // ${CELLS_OF_BLOCK} AS y FROM (${lattice})`;
  const identified = `SELECT *, l4_base + x * 100 + y AS l4, (km_east + grid_offset) * 10000000 + km_north AS km_id,
    (east + grid_offset) * 10000000 + north AS cell_id, sqrt(pow(east + 125 - centre_east, 2) + pow(north + 125 - centre_north, 2)) AS from_centre
  FROM (${placed})`;
  const drawn = `SELECT *, CASE WHEN ${uniform(seed, "cell_id", 1)} >= ${INHABITED} THEN 0
      WHEN ${uniform(seed, "l4", 5)} < ${SPARSE} THEN ${double(0.4)} + ${uniform(seed, "cell_id", 3)}
      ELSE 15 + 12 * ${uniform(seed, "cell_id", 2)} + peak * exp(-from_centre / reach) * (${double(0.4)} + ${double(1.2)} * ${uniform(seed, "cell_id", 3)}) END AS busiest,
    ${double(0.12)} + ${double(0.68)} * exp(-from_centre / 1600) + ${double(0.1)} * ${uniform(seed, "cell_id", 4)} AS work_share
  FROM (${identified})`;
  return `SELECT country, city, l2, l2_name, l4, CASE WHEN x = ${CENTRE_BLOCK} AND y = ${CENTRE_BLOCK} THEN centre_name ELSE l2_name || ' ' || x || '-' || y END AS l4_name,
    km_id, cell_id, east, north, km_east, km_north, block_east, block_north,
    round(busiest * work_share)::INTEGER AS work, round(busiest * (1 - work_share))::INTEGER AS home
  FROM (${drawn})`;
}

const AREA_COLUMNS = [
  ...["country", "city", "l2", "l2_name", "l4_base", "west", "east", "south", "north", "zero_east", "zero_north"],
  ...["grid_offset", "centre_name", "centre_east", "centre_north", "peak", "reach"],
];

/** The share of inhabited cells: all of them near the centre, one in twenty far out. A city with a larger `reach` is wider. */
const INHABITED = `${double(0.05)} + ${double(0.95)} * exp(-pow(greatest(0, from_centre - 800) / reach, 2))`;
/**
 * The share of sparse admin_level_4 areas. None are near the centre. Their inhabited cells have a house or two, so they seldom reach the
 * threshold.
 */
const SPARSE = `${double(0.5)} * (1 - exp(-greatest(0, from_centre - 2500) / reach))`;

function areaRow({ city, cityNumber, municipality, blocks }: CityArea): (string | number)[] {
  const origin = cityOrigin(city);
  const zero = CENTRE_BLOCK * BLOCK;
  const offset = SAMPLE_COUNTRIES.find(({ code }) => code === city.country)?.eastingOffset ?? 0;
  return [
    ...[city.country, cityNumber, municipality.code, municipality.name, blockCodeBase(city, municipality.code)],
    ...[blocks.west, blocks.east, blocks.south, blocks.north].map((block) => block * CELLS_OF_BLOCK),
    ...[origin.east - zero, origin.north - zero, offset, city.centre.name],
    ...[city.centre.east, city.centre.north, city.crowd.peak, city.crowd.reach],
  ];
}

function blockCodeBase(city: City, municipality: number): number {
  return municipality * (city.country === "LAT" ? 1000 : 10000);
}
