import { type Town, townsAt } from "./cells.ts";
import { constants, double, textList, uniform } from "./literals.ts";
import { finestOf, type Level, SAMPLE_COUNTRIES } from "./rules.ts";

const CELL_SIDE: Partial<Record<Level, number>> = { grid_250m: 250, grid_1000m: 1000 };
/** Destinations drawn for each origin. A km cell has more because it is the origin of many cells' trips. */
const DRAWS: Partial<Record<Level, number>> = { grid_250m: 1, grid_1000m: 6 };

/**
 * Returns a query over `sample_places` for the places where trips of the finest level begin and end: place, country, city, next_city,
 * geo_id, east, north, work, home, the `side` of the cell, its `draws`, its `rank` in the town (0 is the most central) and the town's
 * number of `nodes`.
 */
export function nodesQuery(): string {
  const levels = constants(
    "finest",
    ["country", "geo_type", "side", "draws"],
    SAMPLE_COUNTRIES.map(({ code, odm }) => {
      const level = finestOf(odm);
      return [code, level, CELL_SIDE[level] ?? 0, DRAWS[level] ?? 0];
    }),
  );
  const centres = constants(
    "centres",
    ["city", "centre_east", "centre_north", "next_city"],
    townsAt(1).map((town) => [town.number, Math.round(town.place.easting), Math.round(town.place.northing), nextTown(town)]),
  );
  return `SELECT place, country, city, next_city, geo_id, east, north, work, home, side, draws, count(*) OVER (PARTITION BY city)::INTEGER AS nodes,
    (row_number() OVER (PARTITION BY city ORDER BY pow(east - centre_east, 2) + pow(north - centre_north, 2), geo_id) - 1)::INTEGER AS rank
  FROM sample_places JOIN ${levels} USING (country, geo_type) JOIN ${centres} USING (city) WHERE work + home > 0`;
}

/** Returns the number of the town that people of a town travel to: the nearest larger one of the country. From the capital, the second. */
function nextTown({ number, map, place }: Town): number {
  const index = map.places.indexOf(place);
  const away = ({ easting, northing }: Town["place"]): number => Math.hypot(easting - place.easting, northing - place.northing);
  const nearest = map.places.slice(0, index).reduce((near, other) => (away(other) < away(near) ? other : near), map.places[0] ?? place);
  return number - index + (index === 0 ? 1 : map.places.indexOf(nearest));
}

/**
 * Returns a query over `sample_nodes`, `sample_links` and `sample_places` for the pairs with trips: country, origin, destination (places),
 * `key` for their hashes, and the devices that on a busy day travel for everyday purposes (`local`) and to work (`commute`).
 */
export function pairsQuery(seed: number): string {
  return `SELECT pairs.*, (hash(o.geo_id, d.geo_id, ${seed}) >> 2)::BIGINT AS key FROM ((${cellPairs(seed)}) UNION ALL (${linkPairs(seed)})) AS pairs
  JOIN sample_places AS o ON o.place = origin JOIN sample_places AS d ON d.place = destination`;
}

/**
 * Returns a query for the pairs of cells. Each cell has trips to itself, to a neighbour and to a place of work. More central places of work
 * are more likely. Some cells also have trips elsewhere in the city or to the next city. Every outward trip has a return trip.
 */
function cellPairs(seed: number): string {
  const random = (key: number): string => uniform(seed, "geo_id", "draw", key);
  const origins = `SELECT *, ${random(1)} AS work_rank, ${random(2)} AS other_rank, ${random(3)} AS far_rank, ${random(4)} AS chance, ${random(5)} AS luck
    FROM (SELECT *, unnest(range(draws)) AS draw FROM sample_nodes)`;
  const pull = "sqrt(o.home::DOUBLE * d.work) / (1 + sqrt(pow(o.east - d.east, 2) + pow(o.north - d.north, 2)) / 9000)";
  const travelled = (local: string, commute: string, where: string): string =>
    `SELECT o.country, o.place AS origin, d.place AS destination, ${local} AS local, ${commute} AS commute
    FROM (${origins}) AS o JOIN sample_nodes AS d ON ${where}`;
  const outward = [
    travelled(
      "0",
      `${double(2.5)} + 3 * luck + ${double(0.5)} * ${pull}`,
      `d.city = o.city AND d.rank = floor(o.nodes * pow(work_rank, 2))`,
    ),
    travelled(
      `2 + 3 * luck + ${double(0.3)} * ${pull}`,
      "0",
      `d.city = o.city AND d.rank = floor(o.nodes * other_rank) AND chance < ${double(0.4)}`,
    ),
    travelled(
      `3 + 3 * luck + ${double(0.08)} * (o.home + d.home)`,
      "0",
      "d.country = o.country AND d.east = o.east + o.side * (o.geo_id // 250 % 3 - 1) AND d.north = o.north + o.side * (o.rank % 2 * 2 - 1)",
    ),
    travelled("1", `4 + 6 * luck`, `d.city = o.next_city AND d.rank = floor(d.nodes * pow(far_rank, 4)) AND chance > ${double(0.93)}`),
  ];
  const itself = `SELECT country, place, place, 4 + ${double(0.12)} * (work + home), 0 FROM sample_nodes`;
  const both = `SELECT * FROM outward UNION ALL SELECT country, destination, origin, local, commute FROM outward UNION ALL ${itself}`;
  return `WITH outward AS (${outward.join(" UNION ALL ")})
  SELECT country, origin, destination, sum(round(local)::INTEGER)::INTEGER AS local, sum(round(commute)::INTEGER)::INTEGER AS commute
  FROM (${both}) GROUP BY country, origin, destination`;
}

/** Returns a query for the pairs of road links within a city, for the countries that have such pairs. */
function linkPairs(seed: number): string {
  const countries = SAMPLE_COUNTRIES.filter(({ odm }) => odm.includes("osm_links")).map(({ code }) => code);
  const links = `SELECT place, links.country, links.city, link_id, count(*) OVER (PARTITION BY links.city) AS nodes,
      row_number() OVER (PARTITION BY links.city ORDER BY link_id) - 1 AS rank
    FROM sample_links AS links JOIN sample_places AS places ON places.country = links.country AND places.geo_type = 'osm_links' AND places.geo_id = link_id
    WHERE links.country IN ${textList(countries)}`;
  const drawn = `SELECT *, ${uniform(seed, "link_id", "draw", 6)} AS to_rank, ${uniform(seed, "link_id", "draw", 7)} AS luck FROM (SELECT *, unnest(range(5)) AS draw FROM links)`;
  return `WITH links AS (${links})
  SELECT o.country, o.place AS origin, d.place AS destination, max(3 + round(22 * pow(luck, 2)))::INTEGER AS local, 0 AS commute
  FROM (${drawn}) AS o JOIN links AS d ON d.city = o.city AND d.rank = CASE draw WHEN 0 THEN o.rank ELSE floor(o.nodes * to_rank) END
  GROUP BY o.country, o.place, d.place`;
}
