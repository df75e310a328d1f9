import { describe, expect, it } from "vitest";
import { type ActivitiesRequest, activitiesReference, activityTableOf } from "../../infra/testing/reference/activities.ts";
import { columnsReference } from "../../infra/testing/reference/activity-columns.ts";
import { readActivityTables } from "../../infra/testing/reference/activity-tables.ts";
import { columnPreview, idsInBox } from "../../infra/testing/reference/answers.ts";
import { chanceOf } from "../../infra/testing/reference/chance.ts";
import { firstDay, windowOf } from "../../infra/testing/reference/civil-days.ts";
import { checkExport, checkJobPreview, checkSyncPreview, expectNoFaults, faultOf } from "../../infra/testing/reference/compare.ts";
import { countryOf } from "../../infra/testing/reference/countries.ts";
import { newTokenHolders, shareOut } from "../../infra/testing/reference/customers.ts";
import { ACTIVITY_MEASURES, ACTIVITY_TYPES, randomActivities, randomBox } from "../../infra/testing/reference/random-activities.ts";
import { versionsIn } from "../../infra/testing/reference/tables.ts";

/** Everything that a request may ask for: each type of each country of the sample, and each measure hourly and daily. */
const TYPES = ["EST", "LAT", "NOR"].flatMap((country_code) => countryOf({ country_code }).activities.geo_types).length;
const COUNTS = ACTIVITY_MEASURES.length * ACTIVITY_TYPES.length;

const [tables, customers] = await Promise.all([readActivityTables(), newTokenHolders(4)]);

/** This many random requests, each with its expected response. */
function cases(seed: number, count: number, mustNameIds = false) {
  const chance = chanceOf(seed);
  return Array.from({ length: count }, () => {
    const request = randomActivities(chance, tables, { mustNameIds });
    return { request, rules: countryOf(request), expected: activitiesReference(request, tables, countryOf(request)) };
  });
}

type Case = ReturnType<typeof cases>[number];

/** Checks that the random requests cover the interesting cases; otherwise the tests could not fail. */
function expectVariety(drawn: readonly Case[]): void {
  const share = (is: (one: Case) => boolean): number => drawn.filter(is).length / drawn.length;
  expect(share(({ expected }) => expected.rows.length > 0)).toBeGreaterThan(0.5);
  expect(share(({ expected }) => expected.rows.length === 0)).toBeGreaterThan(0.05);
  expect(share(({ expected }) => expected.unknown_ids.length > 0)).toBeGreaterThan(0.1);
  expect(new Set(drawn.map(({ rules, request: { geo_type: type } }) => `${rules.code} ${type}`)).size).toBe(TYPES);
  expect(new Set(drawn.map(({ request: { measure, activity_type: type } }) => `${type} ${measure}`)).size).toBe(COUNTS);
}

function exportOf({ measure, activity_type: type, start_time, end_time, ...request }: ActivitiesRequest, format: string) {
  const rules = countryOf(request);
  const window = windowOf({ start_time, end_time });
  const isMean = measure === "avg_unique_people" && type === "daily";
  return {
    folder: `activities_${type}_${measure}`,
    columns: [
      { name: measure, type: isMean ? "FLOAT64" : "INT64" },
      { name: "time_bucket", type: format === "parquet" ? "TIMESTAMP" : "STRING" },
      { name: "geo_id", type: "INT64" },
      { name: "geo_name", type: "STRING" },
      { name: "type", type: "STRING" },
    ],
    order: ["time_bucket", "geo_id"],
    dataVersions: versionsIn(tables.versions, activityTableOf({ activity_type: type, measure }), rules, window),
    request: {
      measure,
      country_code: rules.code,
      activity_type: type,
      geo_type: request.geo_type,
      start_time: new Date(window.start).toISOString(),
      end_time: new Date(window.end).toISOString(),
    },
  };
}

describe("Activities equal, row by row, the result of an independent reference", () => {
  it("in synchronous previews, of the first 24 hours", async () => {
    const drawn = cases(3, 60, true);
    const faults = await shareOut(drawn, customers, 2, ({ request }, customer) => {
      const rules = countryOf(request);
      const { shown, truncated } = firstDay(request);
      const { start, end } = windowOf(request);
      const times = { start_time: new Date(start).toISOString(), end_time: new Date(end).toISOString() };
      // In each of the three ways to pass several ids.
      const ids = request.geo_ids ?? [];
      const geo_ids = [ids.join(","), ids, [ids.slice(0, 2).join(","), ...ids.slice(2)]][ids.length % 3];
      return faultOf(request, async () => {
        const expected = activitiesReference(shown, tables, rules);
        await checkSyncPreview(customer, { ...request, geo_ids }, expected, rules, { truncated, country_code: rules.code, ...times });
      });
    });
    expectNoFaults(faults);
  });

  it("in synchronous previews by column, of ids and of boxes", async () => {
    const chance = chanceOf(8);
    const faults = await shareOut(cases(6, 40, true), customers, 2, ({ request: { geo_ids = [], ...request }, rules }, customer) => {
      const { shown, truncated } = firstDay(request);
      const box = chance.oneIn(2) ? randomBox(chance, rules.code) : undefined;
      return faultOf({ ...request, box }, async () => {
        const { country_code = "EST", geo_type } = request;
        const ids = box ? await idsInBox(customer, { country_code, geo_type, bbox: box }) : geo_ids;
        const expected = activitiesReference({ ...shown, geo_ids: ids }, tables, rules);
        const { meta, ...answer } = await columnPreview(customer, { ...request, ...(box ? { bbox: box } : { geo_ids: ids.join(",") }) });
        const { measure, activity_type } = request;
        expect(answer).toMatchObject({ country_code: rules.code, measure, activity_type, geo_type, truncated });
        expect(answer).toMatchObject(columnsReference({ ...shown, geo_ids: ids }, expected, rules));
        expect(meta).toMatchObject({ suppressed_rows: null, unknown_ids: expected.unknown_ids });
      });
    });
    expectNoFaults(faults);
  });

  it("in the previews of jobs", async () => {
    const drawn = cases(1, 80);
    expectVariety(drawn);
    const faults = await shareOut(drawn, customers, 4, ({ request, expected, rules }, customer) =>
      faultOf(request, () => checkJobPreview(customer, request, expected, rules)),
    );
    expectNoFaults(faults);
  });

  it.each([
    ["csv", 11],
    ["parquet", 12],
    ["json", 13],
  ])("in exports as %s that match their manifest", async (format, seed) => {
    const drawn = cases(seed, 24);
    const faults = await shareOut(drawn, customers, 4, ({ request, expected, rules }, customer) => {
      const asked = { ...request, format };
      return faultOf(asked, () => checkExport(customer, asked, expected, rules, exportOf(request, format)));
    });
    expectNoFaults(faults);
  });
});
