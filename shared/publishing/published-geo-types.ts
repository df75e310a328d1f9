import { countryList, ruleOf } from "./batches.ts";
import type { FactLoad } from "./staged-load.ts";
import { strictCountries } from "./strict-profile.ts";

/** Fewer geographies than this without a published row would let whoever knows them tell their people from the share. */
const ABSENT_MIN = 50;
/** Fewer steps of people than this, and a percent would be less than what k devices stand for. */
const STEPS_MIN = 100;

interface Published {
  /** The table's name in `intake` and `mobility`. */
  readonly table: string;
  /** What follows FROM in a query of the rows to publish. */
  readonly toPublish: string;
  /** A table or subquery of the raw rows of their batches. */
  readonly delivered: string;
}

/**
 * Returns the statement that notes, for each batch to publish that has no note of its newest version, how many rows of each geography type are
 * published and what share of people is not in them: of the counts of people that were delivered, less those published. It is a whole percent, and
 * null where fewer than 50 geographies are absent (of pairs: 50 pairs), where a percent of the people is less than k devices stand for, and in
 * strict countries. A coarser type of pairs that was not delivered has no share.
 */
export function geoTypesStatement(load: FactLoad, { table, toPublish, delivered }: Published): string {
  const { publication, countries } = load;
  const [counted = ""] = publication.values.flatMap(({ column, rule }) => (rule === "people" || rule === "additive" ? [column] : []));
  const { types, places, geographies } = shapeOf(publication.nesting);
  const keys = ["country_code", "batch_date", ...types.map((_, index) => `type_${index}`)];
  const typed = types.map((type, index) => `${type} AS type_${index}`).join(", ");
  const same = (one: string, other: string): string => keys.map((key) => `${one}.${key} = ${other}.${key}`).join(" AND ");
  const known = types.map((_, index) => `places_${index}.number`).join(" * ");
  const strict = strictCountries(countries);
  const [step, k] = (["step", "k"] as const).map((rule) => ruleOf(countries, rule, "told.country_code"));
  // Steps of fewer people than k say nothing of devices: such counts are published as they are.
  const isMany = `told.people >= ${STEPS_MIN} * ${step} AND ${step} >= ${k}`;
  const hasShare = `${known} - told.places >= ${ABSENT_MIN} AND ${isMany}${strict === undefined ? "" : ` AND told.country_code NOT IN ${strict}`}`;
  const joins = types.map(
    (_, index) => `
LEFT JOIN places AS places_${index} ON places_${index}.country_code = told.country_code AND places_${index}.type = told.type_${index}`,
  );
  return `INSERT INTO \`mobility.batch_geo_types\` (country_code, table_name, batch_date, version, geo_type, destination_geo_type, published_rows, withheld_people_percent)
WITH newest AS (
  SELECT country_code, batch_date, MAX(version) AS version
  FROM \`mobility.batches\`
  WHERE table_name = '${table}' AND country_code IN ${countryList(countries)} AND batch_date BETWEEN @first_date AND @last_date
  GROUP BY country_code, batch_date
),
told AS (
  SELECT country_code, batch_date, ${typed}, COUNT(*) AS number, ${places} AS places, SUM(${counted}) AS people
  FROM ${toPublish}
  GROUP BY ${keys.join(", ")}
),
delivered AS (
  SELECT country_code, batch_date, ${typed}, SUM(${counted}) AS people
  FROM ${delivered} AS raw
  GROUP BY ${keys.join(", ")}
),
places AS (
  ${geographies}
)
SELECT
  told.country_code, '${table}', told.batch_date, newest.version, told.type_0, ${types.length > 1 ? "told.type_1" : "CAST(NULL AS STRING)"}, told.number,
  IF(${hasShare}, GREATEST(0, CAST(ROUND(100 * (1 - told.people / NULLIF(delivered.people, 0))) AS INT64)), NULL)
FROM told
JOIN newest ON newest.country_code = told.country_code AND newest.batch_date = told.batch_date
LEFT JOIN delivered ON ${same("delivered", "told")}${joins.join("")}
WHERE NOT EXISTS (
  SELECT 1 FROM \`mobility.batch_geo_types\` AS noted
  WHERE noted.table_name = '${table}' AND noted.country_code = told.country_code AND noted.batch_date = told.batch_date AND noted.version = newest.version
)`;
}

interface Shape {
  /** Expressions for the geography types of a row. */
  readonly types: readonly string[];
  /** An expression for the number of geographies, or pairs of them, that have rows. */
  readonly places: string;
  /** A query of `country_code`, `type` and `number`: how many geographies there are. */
  readonly geographies: string;
}

function shapeOf(nesting: FactLoad["publication"]["nesting"]): Shape {
  const known = "SELECT country_code, geo_type AS type, COUNT(*) AS number FROM `mobility.geographies` GROUP BY country_code, geo_type";
  if (nesting === "areas") return { types: ["geo_type"], places: "COUNT(DISTINCT geo_id)", geographies: known };
  if (nesting === "pairs")
    return {
      types: ["origin_geo_type", "destination_geo_type"],
      // A day has one row a pair.
      places: "COUNT(*)",
      geographies: known,
    };
  const links = "SELECT country_code, 'osm_links' AS type, COUNT(*) AS number FROM `mobility.road_links` GROUP BY country_code";
  return { types: ["'osm_links'"], places: "COUNT(DISTINCT link_id)", geographies: links };
}
