import type { AcceptedRequest } from "../aggregation/accept-request.ts";
import type { Warehouse } from "../google/bigquery.ts";
import { ServiceError } from "../http/errors.ts";
import type { AggregationRequest } from "../jobs/job-fields.ts";
import { NEAREST_LINK_METRES, nearestLink } from "./nearest-road-link.ts";
import { nearestLinkStatement, roadLinkCandidates } from "./road-link-candidates.ts";

/**
 * The request with the road link that its coordinate stands for; one of another product as it is. Looked up when the request is accepted, so
 * that a coordinate far from any road is answered at once. Throws `not_found` where no link lies near enough.
 */
export async function resolveRoadLink(
  request: AcceptedRequest,
  warehouse: Warehouse,
  labels: Readonly<Record<string, string>>,
): Promise<AggregationRequest> {
  if (request.agg_type !== "flow") return request;
  const { country_code, lat, lon } = request;
  const rows = await warehouse.query(nearestLinkStatement(country_code, [lon, lat]), labels);
  const link = nearestLink([lon, lat], roadLinkCandidates(rows));
  if (link) return { ...request, link };
  const distance = `${NEAREST_LINK_METRES.toLocaleString("en")} m`;
  throw new ServiceError("not_found", `No road link of ${country_code} lies within ${distance} of latitude ${lat}, longitude ${lon}`);
}
