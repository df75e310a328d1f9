import * as v from "valibot";
import { expect, it } from "vitest";
import rules from "../../infra/countries.json" with { type: "json" };
import type { Warehouse } from "../google/bigquery.ts";
import { type Statement, statement } from "../google/statement.ts";
import { AggregationBody } from "../products/catalogue.ts";
import { parseCountryTable } from "../products/countries.ts";
import type { AcceptedRequest } from "../products/product.ts";
import { estimateOf } from "./estimate.ts";

const COUNTRY = parseCountryTable("infra/countries.json", { ...rules, STR: { ...rules.LAT, aliases: [], profile: "strict" } });
const WINDOW = { start_time: "2026-03-01T00:00:00Z", end_time: "2026-03-04T00:00:00Z" };
const ACTIVITIES = { agg_type: "activities", measure: "sum_unique_people", geo_type: "grid_1000m" };
const TYPES = { origin_geo_type: "grid_250m", destination_geo_type: "admin_level_4" };
const BODIES: readonly object[] = [
  { ...ACTIVITIES, activity_type: "hourly" },
  { ...ACTIVITIES, activity_type: "daily", measure: "max_unique_people", geo_ids: [52980003613000] },
  { ...ACTIVITIES, activity_type: "daily", measure: "stays_count" },
  { agg_type: "odm", measure: "trips", ...TYPES },
  { agg_type: "odm", measure: "trips", ...TYPES, origin_geo_ids: [52980003613000] },
  { agg_type: "flow", lat: 56.95, lon: 24.1 },
].flatMap((body) => [body, { ...body, full: true }]);

/** Estimates a request in a warehouse that says what it is asked. Returns the statements. */
async function statementsOf(accepted: AcceptedRequest): Promise<readonly Statement[]> {
  const asked: Statement[] = [];
  const warehouse: Pick<Warehouse, "queryOne" | "dryRun"> = {
    queryOne: async (one) => {
      asked.push(one);
      return v.parse(one.row, { geographies: 7 });
    },
    dryRun: async (one) => {
      asked.push(one);
      return { bytes: 1, tables: 1 };
    },
  };
  const config = { queryPrice: { perTib: 6.25, currency: "USD" }, bytesBilledMax: 1000 };
  await estimateOf(accepted, { warehouse, config, labels: { customer: "acme", purpose: "estimate" } });
  return asked;
}

function accepted(body: object, code: string): AcceptedRequest {
  const country = COUNTRY[code];
  if (!country) throw new Error(`there are no rules of ${code}`);
  return v.parse(AggregationBody, { country_code: code, ...WINDOW, ...body }).accept(code, country, new Date("2026-03-05"));
}

/** The tables that statements name and that are not published. */
function unpublished(statements: readonly Statement[]): string[] {
  const tables = statements.flatMap(({ sql }) => [...sql.matchAll(/\b(?:FROM|JOIN)\s+`?([a-z]\w*\.\w+)/gi)].map(([, name = ""]) => name));
  return tables.filter((name) => !name.startsWith("mobility."));
}

it.each(BODIES)("an estimate of %j reads published tables alone", async (body) => {
  for (const code of ["LAT", "STR"]) {
    const statements = await statementsOf(accepted(body, code));
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.some(({ sql }) => sql.includes("mobility."))).toBe(true);
    expect(unpublished(statements)).toEqual([]);
  }
});

it("an estimate that read a raw table would be found", async () => {
  const raw = statement(v.object({}), "SELECT 1 FROM `intake.activities_hourly` WHERE devices < 5", {});
  const request = accepted({ ...ACTIVITIES, activity_type: "hourly" }, "LAT");
  expect(unpublished(await statementsOf({ ...request, lookups: [...request.lookups, raw] }))).toEqual(["intake.activities_hourly"]);
});
