import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { runAsLoader } from "../../infra/testing/raw-counts.ts";
import { call, keyOf, newCustomer, runJob } from "../../infra/testing/service.ts";
import { Warnings } from "../../shared/products/result-warnings.ts";

const customer = await newCustomer();
const key = keyOf(customer);
const DAY = 86_400_000;
const today = Math.floor(Date.now() / DAY) * DAY;
const date = (daysAgo: number): string => new Date(today - daysAgo * DAY).toISOString().slice(0, 10);
/** One civil day of Estonia, from its first hour to its last. */
const day = { start_time: `${date(3)}T04:00:00+02:00`, end_time: `${date(3)}T20:00:00+02:00` };
const activities = { agg_type: "activities", measure: "sum_unique_people", activity_type: "daily", geo_type: "grid_1000m", ...day };
const odm = { agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m", ...day };
const flow = { agg_type: "flow", lat: 59.437, lon: 24.7454, ...day };

const Warned = v.object({ warnings: Warnings });

async function previewed(given: Readonly<Record<string, unknown>>) {
  const query = new URLSearchParams(Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]));
  const answer = await call("data", "GET", `/data-agg?${query}`, { key });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  return v.parse(Warned, answer.body).warnings;
}

/** The warnings of a job: those of its status and of its results, which are the same. */
async function warned(body: object) {
  const { id, status } = await runJob(key, body);
  expect(status).toBe("completed");
  const [first, second] = await Promise.all(["status", "results"].map((kind) => call("data", "GET", `/data-agg/${kind}/${id}`, { key })));
  const { warnings } = v.parse(Warned, second?.body);
  expect(v.parse(Warned, first?.body).warnings).toEqual(warnings);
  return warnings;
}

/** An hour of the night, in which some cells have no rows. */
const night = { ...activities, activity_type: "hourly", start_time: `${date(3)}T00:00:00Z`, end_time: `${date(3)}T01:00:00Z` };

/** Rows of the night's hour as they were delivered, and whether they are published. */
const AT_NIGHT = delivered("activities_hourly", `time_bucket = TIMESTAMP '${date(3)}' AND geo_type = 'grid_1000m'`, ["geo_type", "geo_id"]);
/** Trips of the day from a cell, by their destination. */
const tripsFrom = (origin: number): string =>
  `SELECT destination_geo_id AS geo_id, is_published FROM (${delivered(
    "odm_daily",
    `origin_geo_id = ${origin} AND origin_geo_type = 'grid_1000m' AND destination_geo_type = 'grid_1000m'`,
    ["origin_geo_type", "origin_geo_id", "destination_geo_type", "destination_geo_id"],
  )})`;

/** Returns a query of delivered rows of the day in Estonia: their key, and whether a published row has it. */
function delivered(table: string, where: string, key: readonly string[]): string {
  const keys = [...key, ...(table === "activities_hourly" ? ["time_bucket"] : [])].join(", ");
  const rowsOf = (dataset: string): string =>
    `SELECT ${keys} FROM \`${dataset}.${table}\` WHERE country_code = 'EST' AND batch_date = '${date(3)}' AND ${where}`;
  return `SELECT *, published IS NOT NULL AS is_published FROM (${rowsOf("intake")} AND loaded_on > '1970-01-01')
    LEFT JOIN (SELECT *, TRUE AS published FROM (${rowsOf("mobility")})) USING (${keys})`;
}

const Cells = v.array(v.object({ geo_id: v.number() }));

/** Returns the first two cells of Estonia whose delivered rows have a property. */
async function cellsWith(having: string, rows = AT_NIGHT): Promise<readonly [number, number]> {
  const found = await runAsLoader(`SELECT geo_id FROM \`mobility.geographies\` AS geographies LEFT JOIN (${rows}) USING (geo_id)
    WHERE geographies.country_code = 'EST' AND geographies.geo_type = 'grid_1000m'
    GROUP BY geo_id HAVING ${having} ORDER BY geo_id LIMIT 2`);
  const [first, second] = v.parse(Cells, found).map(({ geo_id }) => geo_id);
  if (first === undefined || second === undefined) throw new Error(`the sample has no two cells with ${having}`);
  return [first, second];
}

describe("a window without data", () => {
  const future = { start_time: date(-9), end_time: date(-10) };
  const detail = expect.stringMatching(
    new RegExp(
      `^There is no data of ${date(-9)} to ${date(-10)} \\(days of Europe/Tallinn\\) yet; the newest is of \\d{4}-\\d\\d-\\d\\d\\. GET `,
    ),
  );

  it.each([
    ["Activities", { ...activities, ...future, geo_type: "admin_level_2", geo_ids: [784] }],
    ["Activities of everything", { ...activities, ...future }],
    ["the matrix", { ...odm, ...future }],
    ["Flow", { ...flow, ...future }],
  ])("says so in status and results of %s, and names the newest day", async (_product, body) => {
    expect(await warned(body)).toEqual([{ code: "no_data", detail }]);
    expect(await warned({ ...body, full: true })).toEqual([{ code: "no_data", detail }]);
  });

  it.each([
    ["Activities", { ...activities, ...future, geo_type: "admin_level_2", geo_ids: 784 }],
    ["Flow", { ...flow, ...future }],
  ])("says so in a preview of %s", async (_product, query) => {
    expect(await previewed(query)).toEqual([{ code: "no_data", detail }]);
  });
});

describe("a preview", () => {
  it("of a longer window says what is shown", async () => {
    const answer = await previewed({ ...flow, start_time: `${date(4)}T02:00:00Z`, end_time: date(1) });
    const detail = expect.stringContaining(`shown, until ${date(3)}T02:00:00.000Z`);
    expect(answer).toEqual([{ code: "window_clipped", detail }]);
  });

  it("of a day with rows has no warning", async () => {
    expect(await previewed(flow)).toEqual([]);
  });
});

describe("geographies without published rows", () => {
  it("are told alike, whether their rows are withheld or there are none", async () => {
    const [[published], [withheld], [empty]] = await Promise.all([
      cellsWith("LOGICAL_OR(is_published)"),
      cellsWith("LOGICAL_AND(NOT is_published)"),
      cellsWith("COUNT(is_published) = 0"),
    ]);
    const ofOne = async (id: number) => JSON.stringify(await previewed({ ...night, geo_ids: id })).replaceAll(String(id), "ID");
    expect(await ofOne(published)).toBe("[]");
    expect(await ofOne(withheld)).toContain("1 of 1 geo_ids have no published row in the window: ID; nobody");
    expect(await ofOne(withheld)).toBe(await ofOne(empty));
    const ids = [published, withheld, empty, 1];
    expect(await warned({ ...night, geo_ids: ids })).toEqual([
      { code: "unknown_ids", detail: expect.stringMatching(/: 1\. GET /) },
      { code: "no_published_rows", detail: expect.stringContaining(`2 of 4 geo_ids have no published row in the window: `) },
    ]);
  });

  it("are told for each side of the matrix", async () => {
    const [origin] = await cellsWith("LOGICAL_OR(is_published)");
    const destinations = await cellsWith("COUNT(is_published) = 0", tripsFrom(origin));
    const sides = { origin_geo_ids: [origin], destination_geo_ids: destinations };
    expect(await warned({ ...odm, ...sides })).toEqual([
      { code: "no_published_rows", detail: expect.stringContaining("1 of 1 origin_geo_ids have") },
      { code: "no_published_rows", detail: expect.stringContaining("2 of 2 destination_geo_ids have") },
    ]);
  });
});

it("an unfinished or cancelled job has no warnings, in its status and in the list", async () => {
  const own = keyOf(await newCustomer());
  const { body } = await call("data", "POST", "/data-agg", { key: own, body: odm });
  const { job_id: id } = v.parse(v.object({ job_id: v.string() }), body);
  const status = await call("data", "GET", `/data-agg/status/${id}`, { key: own });
  expect(v.parse(Warned, status.body).warnings).toEqual([]);
  const listed = await call("data", "GET", "/data-agg/jobs", { key: own });
  expect(v.parse(v.object({ jobs: v.array(Warned) }), listed.body).jobs).toEqual([{ warnings: [] }]);
});
