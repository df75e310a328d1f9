import * as v from "valibot";
import { type Parameters, type Statement, statement } from "../../shared/google/statement.ts";

/** The raw tables require a filter on the day of the load. All that is still there is read. */
const LOADED = 'loaded_on > "1970-01-01"';

/** A country and a civil day, `2026-03-01`. */
export interface Day {
  readonly country: string;
  readonly date: string;
}

/** Instants of a country, ISO 8601; the last is exclusive. */
export interface Span {
  readonly country: string;
  readonly first: string;
  readonly last: string;
}

const PublishedDay = v.object({ country_code: v.string(), day: v.string(), is_corrected: v.boolean() });

/**
 * Returns a query of the days that have published hours of Activities, oldest first, and whether hours or day were published again after the day.
 * Hours that are delivered one by one before it are no corrections.
 */
export function publishedDaysStatement(): Statement<v.InferOutput<typeof PublishedDay>> {
  const sql = `SELECT country_code, FORMAT_DATE('%F', batch_date) AS day,
  COALESCE(MAX(loaded_at) > MIN(IF(table_name = 'activities_daily', loaded_at, NULL)), FALSE) AS is_corrected
FROM \`mobility.batches\`
WHERE table_name IN ('activities_hourly', 'activities_daily')
GROUP BY country_code, batch_date
HAVING COUNTIF(table_name = 'activities_hourly') > 0
ORDER BY country_code, day`;
  return statement(PublishedDay, sql, {});
}

const Geography = v.object({
  geo_type: v.string(),
  geo_id: v.number(),
  parent_id: v.nullable(v.number()),
  lon: v.number(),
  lat: v.number(),
});

/** Returns a query of a country's geographies, with their centroids in degrees. */
export function geographiesStatement(country: string): Statement<v.InferOutput<typeof Geography>> {
  const sql = "SELECT geo_type, geo_id, parent_id, lon, lat FROM `mobility.geographies` WHERE country_code = @country";
  return statement(Geography, sql, { country: { type: "STRING", value: country } });
}

const Uncounted = v.object({ geographies: v.number(), uncounted: v.number(), examples: v.array(v.number()) });

/** Returns a query of how many geographies of a type have no devices in any raw row of Activities, which are there for 14 days, and of some of them. */
export function uncountedStatement(country: string, geoType: string): Statement<v.InferOutput<typeof Uncounted>> {
  const counted = ["activities_hourly", "activities_daily"].map(
    (table) =>
      `SELECT geo_id FROM \`intake.${table}\` WHERE ${LOADED} AND country_code = @country AND geo_type = @geo_type AND devices > 0`,
  );
  const sql = `SELECT
  COUNT(*) AS geographies, COUNTIF(counted.geo_id IS NULL) AS uncounted,
  ARRAY_AGG(IF(counted.geo_id IS NULL, known.geo_id, NULL) IGNORE NULLS ORDER BY known.geo_id LIMIT 5) AS examples
FROM \`mobility.geographies\` AS known
LEFT JOIN (
  ${counted.join("\n  UNION DISTINCT\n  ")}
) AS counted
  ON counted.geo_id = known.geo_id
WHERE known.country_code = @country AND known.geo_type = @geo_type`;
  return statement(Uncounted, sql, { country: { type: "STRING", value: country }, geo_type: { type: "STRING", value: geoType } });
}

const LinkCell = v.object({ geo_id: v.number(), cell_id: v.number() });

/** Returns a query of the 250 m cells that a country's road links pass. */
export function linkCellsStatement(country: string): Statement<v.InferOutput<typeof LinkCell>> {
  const sql = `SELECT DISTINCT geo_id, cell_id
FROM \`mobility.geography_cells\`
WHERE country_code = @country AND geo_type = 'osm_links'`;
  return statement(LinkCell, sql, { country: { type: "STRING", value: country } });
}

const Activity = v.object({
  geo_type: v.string(),
  geo_id: v.number(),
  bucket: v.string(),
  people: v.number(),
  stays_count: v.number(),
  stays_dwell_minutes: v.number(),
  stays_devices: v.number(),
});
const RawActivity = v.object({ ...Activity.entries, devices: v.number() });
export type ActivityRow = v.InferOutput<typeof Activity>;
/** A table of Activities. */
type ActivityTable = "activities_hourly" | "activities_daily";

/** Returns a query of the published rows of a day of Activities. */
export function publishedActivitiesStatement(table: ActivityTable, day: Day): Statement<ActivityRow> {
  return statement(Activity, activitySql(`mobility.${table}`, "", ""), dayParameters(day));
}

/** Returns a query of the rows of a day of Activities as they were delivered. */
export function rawActivitiesStatement(table: ActivityTable, day: Day): Statement<v.InferOutput<typeof RawActivity>> {
  return statement(RawActivity, activitySql(`intake.${table}`, ", devices", ` AND ${LOADED}`), dayParameters(day));
}

function activitySql(table: string, columns: string, condition: string): string {
  return `SELECT
  geo_type, geo_id, FORMAT_TIMESTAMP('%FT%TZ', time_bucket) AS bucket, people, stays_count, stays_dwell_minutes, stays_devices${columns}
FROM \`${table}\`
WHERE batch_date = @day AND country_code = @country${condition}`;
}

const RawPairRow = v.object({
  origin_geo_type: v.string(),
  origin_geo_id: v.number(),
  destination_geo_type: v.string(),
  destination_geo_id: v.number(),
  trips: v.number(),
  average_speed_kmh: v.nullable(v.number()),
  devices: v.number(),
});
const { devices: _, ...COMMON } = RawPairRow.entries;
const PairRow = v.object({ ...COMMON, general_distance_m: v.nullable(v.number()) });
const PAIR = "origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, average_speed_kmh";

/** Returns a query of the published pairs of a day. */
export function publishedPairsStatement(day: Day): Statement<v.InferOutput<typeof PairRow>> {
  const sql = `SELECT ${PAIR}, general_distance_m
FROM \`mobility.odm_daily\`
WHERE batch_date = @day AND country_code = @country`;
  return statement(PairRow, sql, dayParameters(day));
}

/** Returns a query of the pairs of a day as they were delivered. */
export function rawPairsStatement(day: Day): Statement<v.InferOutput<typeof RawPairRow>> {
  const sql = `SELECT ${PAIR}, devices
FROM \`intake.odm_daily\`
WHERE batch_date = @day AND country_code = @country AND ${LOADED}`;
  return statement(RawPairRow, sql, dayParameters(day));
}

const People = v.object({ id: v.string(), people: v.number() });
const RawPeople = v.object({ ...People.entries, devices: v.number() });
const FLOW_ID = "CONCAT(CAST(link_id AS STRING), ' ', FORMAT_TIMESTAMP('%FT%TZ', time_bucket), ' ', CAST(direction AS STRING)) AS id";

/** Returns a query of a day's published Flow by link, hour and direction. */
export function publishedFlowsStatement(day: Day): Statement<v.InferOutput<typeof People>> {
  const sql = `SELECT ${FLOW_ID}, people
FROM \`mobility.flows_hourly\`
WHERE batch_date = @day AND country_code = @country`;
  return statement(People, sql, dayParameters(day));
}

/** Returns a query of a day's Flow as it was delivered. */
export function rawFlowsStatement(day: Day): Statement<v.InferOutput<typeof RawPeople>> {
  const sql = `SELECT ${FLOW_ID}, people, devices
FROM \`intake.flows_hourly\`
WHERE batch_date = @day AND country_code = @country AND ${LOADED}`;
  return statement(RawPeople, sql, dayParameters(day));
}

const ClassFlowRow = v.object({
  link_id: v.number(),
  direction: v.number(),
  road_class: v.nullable(v.string()),
  hour: v.string(),
  people: v.number(),
});
const RawClassFlowRow = v.object({ ...ClassFlowRow.entries, devices: v.number() });
export type ClassFlowRow = v.InferOutput<typeof ClassFlowRow>;
const FLOW_HOUR = "FORMAT_TIMESTAMP('%FT%TZ', time_bucket) AS hour";

/** Returns a query of a day's published Flow by road class, link, hour and direction. */
export function publishedClassFlowsStatement(day: Day): Statement<ClassFlowRow> {
  const sql = `SELECT link_id, direction, road_class, ${FLOW_HOUR}, people
FROM \`mobility.flows_hourly\`
WHERE batch_date = @day AND country_code = @country`;
  return statement(ClassFlowRow, sql, dayParameters(day));
}

/** Returns a query of a day's Flow as it was delivered, with the links' road classes. */
export function rawClassFlowsStatement(day: Day): Statement<v.InferOutput<typeof RawClassFlowRow>> {
  const sql = `SELECT flow.link_id, flow.direction, link.class AS road_class, ${FLOW_HOUR}, flow.people, flow.devices
FROM \`intake.flows_hourly\` AS flow
JOIN \`mobility.road_links\` AS link ON link.country_code = flow.country_code AND link.link_id = flow.link_id
WHERE flow.batch_date = @day AND flow.country_code = @country AND flow.${LOADED}`;
  return statement(RawClassFlowRow, sql, dayParameters(day));
}

/** The tick in the middle of each hour: one an hour is enough to compare. */
const IN_SPAN = `tick >= @first AND tick < @last AND country_code = @country
  AND TIMESTAMP_SUB(tick, INTERVAL 30 MINUTE) = TIMESTAMP_TRUNC(tick, HOUR)`;
const TICK_ID = "CONCAT(FORMAT_TIMESTAMP('%FT%TZ', TIMESTAMP_TRUNC(tick, HOUR)), ' ', CAST(cell_id AS STRING)) AS id";

/** Returns a query of the published cells of a tick an hour, by hour and cell. */
export function publishedTicksStatement(span: Span): Statement<v.InferOutput<typeof People>> {
  return statement(People, `SELECT ${TICK_ID}, people\nFROM \`realtime.presence\`\nWHERE ${IN_SPAN}`, spanParameters(span));
}

/** Returns a query of the cells of these ticks as they were delivered. */
export function rawTicksStatement(span: Span): Statement<v.InferOutput<typeof RawPeople>> {
  return statement(RawPeople, `SELECT ${TICK_ID}, people, devices\nFROM \`intake.presence\`\nWHERE ${IN_SPAN}`, spanParameters(span));
}

const Share = v.object({
  table_name: v.string(),
  geo_type: v.string(),
  published_rows: v.number(),
  withheld_people_percent: v.nullable(v.number()),
});

/** Returns a query of what is told of the withheld rows of a day's batches of areas. */
export function sharesStatement(day: Day): Statement<v.InferOutput<typeof Share>> {
  const sql = `SELECT table_name, geo_type, published_rows, withheld_people_percent
FROM \`mobility.batch_geo_types\`
WHERE batch_date = @day AND country_code = @country AND destination_geo_type IS NULL
QUALIFY version = MAX(version) OVER (PARTITION BY table_name)`;
  return statement(Share, sql, dayParameters(day));
}

function dayParameters({ country, date }: Day): Parameters {
  return { country: { type: "STRING", value: country }, day: { type: "DATE", value: date } };
}

function spanParameters({ country, first, last }: Span): Parameters {
  return {
    country: { type: "STRING", value: country },
    first: { type: "TIMESTAMP", value: first },
    last: { type: "TIMESTAMP", value: last },
  };
}
