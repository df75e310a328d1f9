import type { CheckContext } from "../client.ts";
import { shellVariables } from "../variables.ts";

/** A request that the service answers with 200, each of whose values the attacker changes. */
export interface AttackedRequest {
  readonly name: string;
  readonly url: string;
  /** JSON, of a POST. */
  readonly body?: string;
}

/** Returns requests that the warehouse answers: of each endpoint, and of each product. */
export function attackedRequests(context: CheckContext): AttackedRequest[] {
  const { ready, customer } = context;
  const { DAY = "" } = shellVariables(context);
  const window = { start_time: `${DAY}T00:00:00+02:00`, end_time: `${DAY}T23:00:00+02:00` };
  const activities = { agg_type: "activities", measure: "sum_unique_people", activity_type: "daily", geo_type: "admin_level_2", ...window };
  const pairs = { agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m", ...window };
  const flow = { agg_type: "flow", lat: "59.437", lon: "24.7454", start_time: `${DAY}T07:00:00Z`, end_time: `${DAY}T08:00:00Z` };
  const get = (path: string, query: Readonly<Record<string, string>>): AttackedRequest => ({
    name: `GET ${path} ${query.agg_type ?? ""}`.trimEnd(),
    url: `${ready.data_base_url}${path}?${new URLSearchParams(query)}`,
  });
  const post = (url: string, path: string, body: object): AttackedRequest => ({
    name: `POST ${path}`,
    url: url + path,
    body: JSON.stringify(body),
  });
  return [
    get("/data-agg", { ...activities, geo_ids: "784,793", country_code: "EST" }),
    get("/data-agg", { ...activities, bbox: "26.6,58.3,26.8,58.4", format: "columns" }),
    get("/data-agg", { ...pairs, origin_geo_ids: "51520004123000" }),
    get("/data-agg", flow),
    post(ready.data_base_url, "/data-agg/estimate", { ...pairs, origin_geo_ids: [51520004123000], full: true, format: "csv" }),
    get("/geographies", { geo_type: "admin_level_4", q: "kesk", limit: "1", bbox: "24,59,25,60" }),
    get("/geographies", { geo_type: "admin_level_2", ids: "784,793", country_code: "EST" }),
    get("/data-availability", { dataset: "odm", country_code: "EST", start_time: DAY, end_time: DAY }),
    get("/admin/realtime/history", { map_id: customer.mapId, start_time: `${DAY}T00:00:00Z`, end_time: `${DAY}T12:00:00Z`, limit: "2" }),
    post(ready.users_base_url, "/admin/maps/check", {
      type: "custom_polygon",
      geometry: "POLYGON((24.73 59.43, 24.76 59.43, 24.76 59.445, 24.73 59.445, 24.73 59.43))",
    }),
  ];
}
