import { describe, expect, it } from "vitest";
import { chanceOf } from "../../infra/testing/reference/chance.ts";
import { firstCivilDay, windowOf } from "../../infra/testing/reference/civil-days.ts";
import { checkExport, checkJobPreview, checkSyncPreview, expectNoFaults, faultOf } from "../../infra/testing/reference/compare.ts";
import { countryOf } from "../../infra/testing/reference/countries.ts";
import { newTokenHolders, shareOut } from "../../infra/testing/reference/customers.ts";
import { largestFirst, type OdmRequest, odmReference } from "../../infra/testing/reference/odm.ts";
import { readOdmTables } from "../../infra/testing/reference/odm-tables.ts";
import { randomOdm, randomOdmPreview } from "../../infra/testing/reference/random-odm.ts";
import { versionsIn } from "../../infra/testing/reference/tables.ts";

const [tables, customers] = await Promise.all([readOdmTables(), newTokenHolders(4)]);

/** This many random requests, each with its expected response. */
function cases(seed: number, count: number) {
  const chance = chanceOf(seed);
  return Array.from({ length: count }, () => {
    const request = randomOdm(chance, tables);
    return { request, rules: countryOf(request), expected: odmReference(request, tables, countryOf(request)) };
  });
}

/** Checks that the random requests cover the interesting cases; otherwise the tests could not fail. */
function expectVariety(drawn: ReturnType<typeof cases>): void {
  const share = (is: (one: (typeof drawn)[number]) => boolean): number => drawn.filter(is).length / drawn.length;
  expect(share(({ expected }) => expected.rows.length > 0)).toBeGreaterThan(0.5);
  expect(share(({ expected }) => expected.rows.length > 100)).toBeGreaterThan(0.2);
  expect(share(({ expected }) => expected.rows.length === 0)).toBeGreaterThan(0.05);
  expect(share(({ expected }) => expected.unknown_ids.length > 0)).toBeGreaterThan(0.1);
  const types = drawn.map(({ rules, request }) => `${rules.code} ${request.origin_geo_type} ${request.destination_geo_type}`);
  expect(new Set(types).size).toBeGreaterThanOrEqual(14);
}

function exportOf({ measure, activity_type: type = "daily", start_time, end_time, ...request }: OdmRequest) {
  const rules = countryOf(request);
  const window = windowOf({ start_time, end_time });
  return {
    folder: `odm_${type}_${measure}`,
    columns: [
      { name: "batch_date", type: "DATE" },
      { name: "origin_geo_id", type: "INT64" },
      { name: "destination_geo_id", type: "INT64" },
      ...(rules.odm.distance === "none" ? [] : [{ name: "General_Distance", type: "FLOAT64" }]),
      ...(rules.odm.speed ? [{ name: "Average_Speed", type: "FLOAT64" }] : []),
      { name: "trips", type: "INT64" },
    ],
    order: ["batch_date", "origin_geo_id", "destination_geo_id"],
    dataVersions: versionsIn(tables.versions, "odm_daily", rules, window),
    request: {
      measure,
      country_code: rules.code,
      activity_type: type,
      origin_geo_type: request.origin_geo_type,
      destination_geo_type: request.destination_geo_type,
      start_time: new Date(window.start).toISOString(),
      end_time: new Date(window.end).toISOString(),
    },
  };
}

describe("the Origin-Destination Matrix equals, row by row, the result of an independent reference", () => {
  it("in synchronous previews of one origin or destination, of the first civil day, the largest first", async () => {
    const chance = chanceOf(5);
    const drawn = Array.from({ length: 90 }, () => randomOdmPreview(chance, tables)).map((request) => {
      const rules = countryOf(request);
      const { shown, truncated } = firstCivilDay(request, rules.time_zone);
      return { request, rules, truncated, expected: largestFirst(odmReference(shown, tables, rules)) };
    });
    expect(drawn.filter(({ expected }) => expected.rows.length > 3).length).toBeGreaterThan(20);
    expect(new Set(drawn.map(({ truncated }) => truncated)).size).toBe(2);
    const faults = await shareOut(drawn, customers, 2, ({ request, expected, rules, truncated }, customer) =>
      faultOf(request, async () => {
        await checkSyncPreview(customer, { ...request }, expected, rules, { truncated, agg_type: "odm", country_code: rules.code });
      }),
    );
    expectNoFaults(faults);
  });

  it("in the previews of jobs", async () => {
    const drawn = cases(2, 100);
    expectVariety(drawn);
    const faults = await shareOut(drawn, customers, 4, ({ request, expected, rules }, customer) =>
      faultOf(request, () => checkJobPreview(customer, request, expected, rules)),
    );
    expectNoFaults(faults);
  });

  it.each([
    ["csv", 21],
    ["parquet", 22],
    ["json", 23],
  ])("in exports as %s that match their manifest", async (format, seed) => {
    const drawn = cases(seed, 34);
    const faults = await shareOut(drawn, customers, 4, ({ request, expected, rules }, customer) => {
      const asked = { ...request, format };
      return faultOf(asked, () => checkExport(customer, asked, expected, rules, exportOf(request)));
    });
    expectNoFaults(faults);
  });
});
