import * as v from "valibot";
import type { CountryRules, CountryTable } from "../countries/country-rules.ts";
import { countGeographiesStatement } from "../geographies/lookup.ts";
import type { ReadEstimate, Warehouse } from "../google/bigquery.ts";
import type { Statement } from "../google/statement.ts";
import { ServiceError } from "../http/errors.ts";
import { nearestLinkStatement } from "../products/road-link-candidates.ts";
import { civilDayCount, hourCount } from "../products/time-window.ts";
import type { Config } from "../runtime/config.ts";
import type { AcceptedRequest } from "./accept-request.ts";
import { costlyStatements } from "./stages.ts";

const MEBIBYTE = 2 ** 20;
const TEBIBYTE = 2 ** 40;
/** BigQuery bills each table that a query reads in whole mebibytes, and with at least so much. Source: https://cloud.google.com/bigquery/pricing */
const BILLED_MIN = 10 * MEBIBYTE;

type Labels = Readonly<Record<string, string>>;

interface Estimating {
  readonly countries: CountryTable;
  readonly warehouse: Warehouse;
  readonly config: Pick<Config, "queryPrice" | "bytesBilledMax">;
  readonly labels: Labels;
}

/**
 * What a job of a request would read, give and cost at most in one attempt: dry runs of its statements. No link is looked up: any one stands
 * for it. Throws `invalid_argument` for one that would read more than a job may.
 */
export async function estimateOf(request: AcceptedRequest, { countries, warehouse, config, labels }: Estimating) {
  const rules = countries[request.country_code];
  if (!rules) throw new Error(`${request.country_code} was accepted and has no rules`);
  const [reads, rows] = await Promise.all([
    Promise.all(statementsOf(request, rules).map((statement) => warehouse.dryRun(statement, labels))),
    estimatedRows(request, rules, labels, warehouse),
  ]);
  if (reads.some(({ bytes }) => bytes > config.bytesBilledMax))
    throw new ServiceError("invalid_argument", "The job would read more data than one may; ask for fewer days or geographies");
  const { perTib, currency } = config.queryPrice;
  return {
    estimated_bytes_max: sum(reads.map(({ bytes }) => bytes)),
    estimated_rows_max: rows,
    estimated_cost_max: { amount: costOf(sum(reads.map(billedMax)), perTib), currency },
  };
}

function statementsOf(request: AcceptedRequest, rules: CountryRules): Statement[] {
  if (request.agg_type !== "flow") return costlyStatements(request, rules);
  const { country_code, lat, lon } = request;
  const link = { link_id: 0, link_name: "", link_type: "", distance_m: 0 };
  return [nearestLinkStatement(country_code, [lon, lat]), ...costlyStatements({ ...request, link }, rules)];
}

/** How much is billed at most. How the bytes are shared among the tables is not told: every table may be rounded up. */
function billedMax({ bytes, tables }: ReadEstimate): number {
  return bytes + tables * BILLED_MIN;
}

/** The price of so many billed bytes, rounded up to a millionth, so that it stays a bound. */
function costOf(billedBytes: number, perTib: number): number {
  return Math.ceil((billedBytes / TEBIBYTE) * perTib * 1e6) / 1e6;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * The rows of a request's result at most: ids × buckets, pairs × days, or hours × directions. It depends on the request and the geographies
 * alone, so it tells nothing of who is where. "Every geography" is counted in the warehouse, which reads one cluster of one small table.
 */
async function estimatedRows(request: AcceptedRequest, rules: CountryRules, labels: Labels, warehouse: Warehouse): Promise<number> {
  const window = { start: new Date(request.start_time), end: new Date(request.end_time) };
  const count = async (type: string, ids: readonly number[] | null): Promise<number> => {
    if (ids) return ids.length;
    const rows = await warehouse.query(countGeographiesStatement(request.country_code, type), labels);
    return v.parse(v.tuple([v.object({ geographies: v.number() })]), rows)[0].geographies;
  };
  if (request.agg_type === "flow") return 2 * hourCount(window);
  const days = civilDayCount(window, rules.timeZone);
  if (request.agg_type === "activities")
    return (await count(request.geo_type, request.geo_ids)) * (request.activity_type === "hourly" ? hourCount(window) : days);
  const [origins, destinations] = await Promise.all([
    count(request.origin_geo_type, request.origin_geo_ids),
    count(request.destination_geo_type, request.destination_geo_ids),
  ]);
  return origins * destinations * days;
}
