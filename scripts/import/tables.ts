/** What an import needs to know of a table beyond its columns. */
export interface ImportTable {
  readonly name: string;
  /** The columns that tell one row from another: no two rows of a file agree in all of them. */
  readonly key: readonly string[];
  /** A file replaces the rows that agree with one of its own in these columns. */
  readonly replaces: readonly string[];
  /** What `time_bucket` holds; undefined: the table has none. */
  readonly bucket?: "hour" | "day";
  /** The columns that must name what another table describes. */
  readonly references: readonly Reference[];
}

/** A column whose ids stand in `geographies` (under a type) or in `road_links`. */
interface Reference {
  readonly id: string;
  readonly table: "geographies" | "road_links";
  readonly geoType?: string;
}

const ACTIVITIES = {
  key: ["country_code", "geo_type", "geo_id", "time_bucket"],
  replaces: ["country_code", "batch_date"],
  references: [{ id: "geo_id", table: "geographies", geoType: "geo_type" }],
} as const;

/** The tables that files are loaded into. */
export const IMPORT_TABLES: readonly ImportTable[] = [
  { name: "activities_hourly", bucket: "hour", ...ACTIVITIES },
  { name: "activities_daily", bucket: "day", ...ACTIVITIES },
  {
    name: "odm_daily",
    key: ["country_code", "batch_date", "origin_geo_type", "origin_geo_id", "destination_geo_type", "destination_geo_id"],
    replaces: ["country_code", "batch_date"],
    references: [
      { id: "origin_geo_id", table: "geographies", geoType: "origin_geo_type" },
      { id: "destination_geo_id", table: "geographies", geoType: "destination_geo_type" },
    ],
  },
  {
    name: "flows_hourly",
    key: ["country_code", "link_id", "time_bucket", "direction"],
    replaces: ["country_code", "batch_date"],
    bucket: "hour",
    references: [{ id: "link_id", table: "road_links" }],
  },
  { name: "geographies", key: ["country_code", "geo_type", "geo_id"], replaces: ["country_code", "geo_type"], references: [] },
  { name: "road_links", key: ["country_code", "link_id"], replaces: ["country_code"], references: [] },
  {
    name: "geography_cells",
    key: ["country_code", "geo_type", "geo_id", "cell_id"],
    replaces: ["country_code", "geo_type"],
    references: [{ id: "geo_id", table: "geographies", geoType: "geo_type" }],
  },
  { name: "presence", key: ["tick", "country_code", "cell_id"], replaces: ["country_code", "tick"], references: [] },
];

/** Whether the rows are facts of days, which have a threshold, rather than a description of the country. */
export function isFact({ replaces }: ImportTable): boolean {
  return replaces.includes("batch_date");
}

/** Whether the rows are ticks of a feed: each tick is loaded on its own, in the order of time. */
export function isFeed({ replaces }: ImportTable): boolean {
  return replaces.includes("tick");
}
