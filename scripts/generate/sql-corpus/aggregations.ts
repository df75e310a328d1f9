import type { CountryRules, CountryTable } from "../../../shared/countries/country-rules.ts";
import type { ActivitiesRequest, FlowRequest, OdmRequest } from "../../../shared/jobs/job-fields.ts";
import { ACTIVITY_MEASURES } from "../../../shared/products/activities-schemas.ts";
import { productQuery } from "../../../shared/products/catalogue.ts";
import {
  dataVersionsStatement,
  exportStatement,
  type ProductQuery,
  rowsStatement,
  summaryStatement,
} from "../../../shared/products/statements.ts";
import { queryFile, type SqlFile } from "./sql-file.ts";

const COMMON = { start_time: "2026-03-01T00:00:00.000Z", end_time: "2026-03-02T00:00:00.000Z", full: false, format: "csv" } as const;
const ACTIVITIES: ActivitiesRequest = {
  ...COMMON,
  agg_type: "activities",
  country_code: "LAT",
  measure: "sum_unique_people",
  activity_type: "hourly",
  geo_type: "grid_250m",
  geo_ids: [51440004116000, 51440004116250],
};
const ODM: OdmRequest = {
  ...COMMON,
  agg_type: "odm",
  country_code: "LAT",
  measure: "trips",
  activity_type: "daily",
  origin_geo_type: "grid_1000m",
  destination_geo_type: "admin_level_4",
  origin_geo_ids: [51440004116000],
  destination_geo_ids: [3201],
};
const FLOW: FlowRequest = {
  ...COMMON,
  agg_type: "flow",
  country_code: "LAT",
  measure: "people",
  activity_type: "hourly",
  lat: 56.95,
  lon: 24.11,
  link: { link_id: 401001003, link_name: "Brīvības iela", link_type: "primary", distance_m: 12.5 },
};
const BUCKET = "populus-exports";
const PART = "results/acmemobility/4d4e84fa-472f-438b-862c-157d4ee6fd62/folder/part-1-";

/** Jobs of every product: previews and exports, all geographies and some, every measure. */
export function aggregationFiles(countries: CountryTable): SqlFile[] {
  const { LAT: rules } = countries;
  if (!rules) throw new Error("The corpus asks for LAT, which is not in the country table");
  return [...activitiesFiles(rules), ...odmFiles(rules), ...jobFiles("flow", productQuery(FLOW, rules))];
}

function activitiesFiles(rules: CountryRules): SqlFile[] {
  const query = (request: Partial<ActivitiesRequest>) => productQuery({ ...ACTIVITIES, ...request }, rules);
  const previews = (["hourly", "daily"] as const).flatMap((activity_type) =>
    ACTIVITY_MEASURES.map((measure) =>
      queryFile(`activities-${activity_type}-${measure}.preview`, summaryStatement(query({ activity_type, measure }), "first")),
    ),
  );
  return [
    ...previews,
    ...jobFiles("activities-hourly", query({ geo_ids: null })),
    ...jobFiles("activities-daily", query({ activity_type: "daily", geo_ids: null })),
    ...jobFiles("activities-daily-avg-over-hours", query({ activity_type: "daily", measure: "avg_unique_people", geo_ids: null })),
    ...exportFiles("activities-hourly-some-geographies", query({})),
  ];
}

function odmFiles(rules: CountryRules): SqlFile[] {
  const withoutModels: CountryRules = { ...rules, odm: rules.odm && { ...rules.odm, distance: "none", speed: false } };
  const file = (name: string, request: Partial<OdmRequest>, of = rules) =>
    jobFiles(`odm-${name}`, productQuery({ ...ODM, ...request }, of));
  return [
    ...file("some-pairs", {}),
    ...file("some-origins", { destination_geo_ids: null }),
    ...file("some-destinations", { origin_geo_ids: null }),
    ...file("all-pairs", { origin_geo_ids: null, destination_geo_ids: null }),
    ...file("no-distance-no-speed", {}, withoutModels),
  ];
}

/** What is sent for one query: for a preview of a job, for all rows of a day at once, for an export in one of the formats. */
function jobFiles(name: string, query: ProductQuery): SqlFile[] {
  return [
    queryFile(`${name}.preview`, summaryStatement(query, "first")),
    queryFile(`${name}.day`, summaryStatement(query, "all")),
    ...exportFiles(name, query),
  ];
}

/** What jobs with an export send: the summary before it, the export (an estimate sends its rows), the versions after it. */
function exportFiles(name: string, query: ProductQuery): SqlFile[] {
  return [
    queryFile(`${name}.summary`, summaryStatement(query, "none")),
    ...(["csv", "json", "parquet"] as const).map((format) =>
      queryFile(`${name}.export-${format}`, exportStatement(query, format, BUCKET, PART)),
    ),
    queryFile(`${name}.rows`, rowsStatement(query)),
    queryFile(`${name}.versions`, dataVersionsStatement(query)),
  ];
}
