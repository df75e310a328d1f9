import { COUNTRIES } from "./calendar.ts";
import { constants, double, uniform } from "./literals.ts";

/** The devices in the busier direction of an average link in its busiest hour, and the share of links without counts. */
const CLASSES = constants(
  "classes",
  ["class", "busiest", "uncounted"],
  [
    ["motorway", 420, { double: 0.05 }],
    ["trunk", 300, { double: 0.05 }],
    ["primary", 190, { double: 0.15 }],
    ["secondary", 90, { double: 0.4 }],
    ["tertiary", 26, { double: 0.4 }],
    ["residential", 15, { double: 0.4 }],
    ["pedestrian", 40, { double: 0 }],
  ],
);

/**
 * Returns the statement that fills a table with the rows of `intake.flows_hourly` for the days from `first` to `last`, in the order
 * of its clusters.
 */
export function flowsInsert(seed: number, first: number, last: number, into: string): string {
  const links = `SELECT country, link_id, inward, (busiest * (${double(0.6)} + ${double(0.8)} * ${uniform(seed, "link_id", 2)}))::INTEGER AS busiest,
      (hash(link_id, ${seed}) >> 2)::BIGINT AS key
    FROM sample_links JOIN ${CLASSES} USING (class) WHERE ${uniform(seed, "link_id", 1)} >= uncounted`;
  // The `inward` thousandths of a link's traffic follow the rhythm of the direction. The rest follows the mean of both rhythms.
  const expected = `busiest * (links.inward * CASE direction WHEN 1 THEN hours.inward ELSE hours.outward END + (1000 - links.inward) * (hours.inward + hours.outward) // 2) // 1000`;
  const drawn = `SELECT link_id, links.country, day, hour, time_bucket, batch_date, direction, people_of_thousand, hash(key + hour * 2 + direction) AS bits,
      (${expected})::BIGINT AS expected
    FROM (${links}) AS links JOIN (SELECT * FROM sample_hours WHERE day BETWEEN ${first} AND ${last}) AS hours ON hours.country = links.country
    JOIN ${COUNTRIES} ON rules.country = links.country, (VALUES (-1), (1)) AS directions(direction)`;
  const counted = `SELECT *, ((expected * (896 + (bits & 255)::BIGINT) + ((bits >> 8) & 1048575)::BIGINT) >> 20) AS devices FROM (${drawn})`;
  return `INSERT INTO ${into} (country_code, link_id, time_bucket, direction, people, devices, batch_date)
  SELECT country, link_id, time_bucket, direction, devices * people_of_thousand // 1000, devices, batch_date
  FROM (${counted}) WHERE devices > 0 ORDER BY day, country, link_id, hour, direction`;
}
