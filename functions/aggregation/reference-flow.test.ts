import { describe, expect, it } from "vitest";
import type { Expected } from "../../infra/testing/reference/activities.ts";
import { previewPath } from "../../infra/testing/reference/answers.ts";
import { chanceOf } from "../../infra/testing/reference/chance.ts";
import { firstDay, windowOf } from "../../infra/testing/reference/civil-days.ts";
import { checkExport, checkJobPreview, checkSyncPreview, expectNoFaults, faultOf } from "../../infra/testing/reference/compare.ts";
import { type CountryRules, countryOf } from "../../infra/testing/reference/countries.ts";
import { newTokenHolders, shareOut, type TokenHolder } from "../../infra/testing/reference/customers.ts";
import { type FlowRequest, flowReference } from "../../infra/testing/reference/flow.ts";
import { readFlowTables } from "../../infra/testing/reference/flow-tables.ts";
import { randomFlow } from "../../infra/testing/reference/random-flow.ts";
import { versionsIn } from "../../infra/testing/reference/tables.ts";
import { call } from "../../infra/testing/service.ts";

const [tables, customers] = await Promise.all([readFlowTables(), newTokenHolders(4)]);
const now = new Date();

/** This many random requests. Some omit the end of the window, which then means now. */
function cases(seed: number, count: number) {
  const chance = chanceOf(seed);
  return Array.from({ length: count }, () => {
    const { request, isOpen } = randomFlow(chance, tables, now);
    const { end_time, ...open } = request;
    return { request, isOpen, sent: isOpen ? open : { ...open, end_time }, rules: countryOf(request) };
  });
}

type Case = ReturnType<typeof cases>[number];

/** Checks that the random requests cover the interesting cases; otherwise the tests could not fail. */
function expectVariety(drawn: readonly Case[]): void {
  const answers = drawn.map(({ request, rules }) => flowReference(request, tables, rules));
  const share = (is: (one: (typeof answers)[number]) => boolean): number => answers.filter(is).length / answers.length;
  expect(share((answer) => answer === undefined)).toBeGreaterThan(0.05);
  expect(share((answer) => (answer?.rows.length ?? 0) > 1)).toBeGreaterThan(0.3);
  expect(share((answer) => answer?.rows[0]?.people === null)).toBeGreaterThan(0.1);
  expect(drawn.filter(({ isOpen }) => isOpen).length).toBeGreaterThan(drawn.length / 20);
}

function timesOf(request: FlowRequest) {
  const { start, end } = windowOf(request);
  return { start_time: new Date(start).toISOString(), end_time: new Date(end).toISOString() };
}

async function checkNoLink({ key }: TokenHolder, method: string, path: string, body?: object): Promise<void> {
  const answer = await call("data", method, path, { key, ...(body ? { body } : {}) });
  expect(answer).toMatchObject({ status: 404, body: { code: "not_found", detail: expect.stringMatching(/2,?000 ?m|2 km/) } });
}

function exportOf({ request, isOpen, rules }: Case, format: string) {
  const { start_time, end_time } = timesOf(request);
  return {
    folder: "flow_hourly_people",
    columns: [
      { name: "link_id", type: "INT64" },
      { name: "link_name", type: "STRING" },
      { name: "link_type", type: "STRING" },
      { name: "distance_m", type: "FLOAT64" },
      { name: "time_bucket", type: format === "parquet" ? "TIMESTAMP" : "STRING" },
      { name: "direction", type: "INT64" },
      { name: "people", type: "INT64" },
    ],
    order: ["time_bucket", "direction"],
    dataVersions: versionsIn(tables.versions, "flows_hourly", rules, windowOf(request)),
    request: { country_code: rules.code, lat: request.lat, lon: request.lon, start_time, ...(isOpen ? {} : { end_time }) },
  };
}

/** The link of a preview: that of its rows, with its line. */
function linkOf({ rows: [row] }: Expected, { code }: CountryRules) {
  const link = tables.links.get(code)?.find(({ linkId }) => linkId === row?.link_id);
  return { link_id: row?.link_id, link_name: link?.name, geometry: { type: "LineString", coordinates: link?.line } };
}

describe("Flow equals, row by row, the result of an independent reference", () => {
  it("in synchronous previews, of the first 24 hours", async () => {
    const drawn = cases(4, 80);
    expectVariety(drawn);
    const faults = await shareOut([...drawn.entries()], customers, 2, ([index, { request, isOpen, sent, rules }], customer) => {
      const { start_time, ...others } = sent;
      const isOld = index % 5 === 0;
      const query = isOld ? { ...others, datetime_from: start_time } : sent;
      const { shown, truncated } = firstDay(request);
      const expected = flowReference(shown, tables, rules);
      return faultOf(query, async () => {
        if (!expected) return await checkNoLink(customer, "GET", previewPath(query));
        const { end_time, ...times } = timesOf(request);
        const { agg_type, lat, lon } = request;
        const link = linkOf(expected, rules);
        const echo = { agg_type, country_code: rules.code, lat, lon, link, ...times, ...(isOpen ? {} : { end_time }), truncated };
        const headers = await checkSyncPreview(customer, query, expected, rules, echo);
        expect(headers.has("deprecation")).toBe(isOld);
      });
    });
    expectNoFaults(faults);
  });

  it("in the previews of jobs", async () => {
    const faults = await shareOut(cases(5, 50), customers, 4, ({ request, sent, rules }, customer) => {
      const expected = flowReference(request, tables, rules);
      return faultOf(sent, () =>
        expected ? checkJobPreview(customer, sent, expected, rules) : checkNoLink(customer, "POST", "/data-agg", sent),
      );
    });
    expectNoFaults(faults);
  });

  it.each([
    ["csv", 31],
    ["parquet", 32],
    ["json", 33],
  ])("in exports as %s that match their manifest", async (format, seed) => {
    const faults = await shareOut(cases(seed, 24), customers, 4, (drawn, customer) => {
      const expected = flowReference(drawn.request, tables, drawn.rules);
      const asked = { ...drawn.sent, format };
      return faultOf(asked, () =>
        expected
          ? checkExport(customer, asked, expected, drawn.rules, exportOf(drawn, format))
          : checkNoLink(customer, "POST", "/data-agg", asked),
      );
    });
    expectNoFaults(faults);
  });
});
