import * as v from "valibot";
import { describe, expect, it } from "vitest";
import {
  COARSER,
  COUNTRY,
  DATE,
  FINEST,
  publishedActivities,
  rawActivities,
  rowKey,
  WINDOW,
} from "../../infra/testing/privacy/nested-day.ts";
import { jobPreview, syncPreview } from "../../infra/testing/reference/answers.ts";
import { chanceOf } from "../../infra/testing/reference/chance.ts";
import { newTokenHolder } from "../../infra/testing/reference/customers.ts";
import { exported } from "../../infra/testing/reference/exports.ts";
import { query } from "../../infra/testing/reference/tables.ts";
import { call } from "../../infra/testing/service.ts";

const customer = await newTokenHolder();
const HOUR = 3_600_000;
const [published, raw] = await Promise.all([publishedActivities(FINEST, "hourly", "sum_unique_people"), rawActivities("hourly")]);

/** What is said about withholding, whatever is withheld: nothing but the rules of the country. */
const META = { suppressed_rows: null, unknown_ids: [], k: 7, step: 30 };

/** The hour of the day with the most withheld cells, and its cells: published, withheld, and empty. */
const at = busiest(raw.filter(({ level, key }) => level === FINEST && !published.has(key)).map(({ key }) => timeOf(key)));
const here = raw.filter(({ level, key }) => level === FINEST && timeOf(key) === at);
const idsOf = (rows: typeof here): number[] => rows.map(({ key }) => Number(key.split(" ")[1])).sort((one, other) => one - other);
const shown = idsOf(here.filter(({ key }) => published.has(key))).slice(0, 40);
const withheld = idsOf(here.filter(({ key }) => !published.has(key))).slice(0, 20);
const present = new Set(idsOf(here));
const Ids = v.array(v.object({ geo_id: v.number() }));
const cells = v.parse(
  Ids,
  await query(
    `SELECT geo_id FROM mobility.geographies WHERE country_code = '${COUNTRY}' AND geo_type = '${FINEST}' ORDER BY geo_id LIMIT 2000`,
  ),
);
const empty = cells
  .map(({ geo_id: id }) => id)
  .filter((id) => !present.has(id))
  .slice(0, 20);

const hour = { start_time: at, end_time: new Date(Date.parse(at) + HOUR).toISOString() };
const request = {
  agg_type: "activities",
  country_code: COUNTRY,
  geo_type: FINEST,
  measure: "sum_unique_people",
  activity_type: "hourly",
  ...hour,
};

function ask(ids: readonly number[], given: object = {}) {
  return syncPreview(customer, { ...request, ...given, geo_ids: ids.join(",") });
}

describe("lists of ids", () => {
  it("that overlap, or have one id, return the same value per id: no sum is computed for a request", async () => {
    const chance = chanceOf(4);
    const singles = await Promise.all([...shown.slice(0, 10), ...withheld.slice(0, 10), ...empty.slice(0, 5)].map((id) => ask([id])));
    expect(singles.map(({ results }) => results.length)).toEqual([...Array(10).fill(1), ...Array(15).fill(0)]);
    const lists = Array.from({ length: 10 }, () => [...new Set(chance.picks([...shown, ...withheld, ...empty], 30))]);
    for (const list of lists) {
      const { results, meta } = await ask(list);
      expect(results.map((row) => [row.geo_id, row.sum_unique_people])).toEqual(
        list
          .filter((id) => shown.includes(id))
          .sort((one, other) => one - other)
          .map((id) => [id, published.get(rowKey(at, id))]),
      );
      expect(meta).toEqual(META);
    }
  });

  it("of one id have the same response where a few devices were and where nobody was, as a preview and as a result", async () => {
    const without = (id: number, answer: object) => JSON.stringify(answer).replaceAll(String(id), "the id");
    const previews = [...withheld, ...empty].map(async (id) => {
      const { headers: _, ...body } = await ask([id]);
      return without(id, body);
    });
    expect(new Set(await Promise.all(previews)).size).toBe(1);
    const jobs = [...withheld.slice(0, 2), ...empty.slice(0, 2)].map(async (id) => {
      const { job_id: _, ...body } = await jobPreview(customer, { ...request, geo_ids: [id] });
      return without(id, body);
    });
    expect(new Set(await Promise.all(jobs)).size).toBe(1);
  });

  it("of one id have the same export where a few devices were and where nobody was", async () => {
    const [few, nobody] = await Promise.all(
      [withheld[0], empty[0]].map(async (id) => {
        const { manifest, rows } = await exported(customer, { ...request, format: "csv", geo_ids: [id] });
        const { total_rows, meta, files, data_versions } = manifest;
        return { total_rows, meta, data_versions, rows, sizes: files.map(({ size, crc32c }) => [size, crc32c]) };
      }),
    );
    expect(few).toEqual(nobody);
    expect(few).toMatchObject({ total_rows: 0, meta: META });
  });

  it("requested many times at once get the same response: there is no noise to average, and no state to observe", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask([...shown.slice(0, 5), ...withheld.slice(0, 5)])));
    const bodies = answers.map(({ headers: _, ...body }) => body);
    expect(bodies).toEqual(Array.from({ length: 20 }, () => bodies[0]));
  });

  it("determine unknown ids from the list of geographies alone, never from presence", async () => {
    const unknown = 12345;
    for (const ids of [shown, withheld, empty]) expect((await ask([...ids, unknown])).meta.unknown_ids).toEqual([unknown]);
  });
});

describe("information published besides a result", () => {
  it("an estimate is the same for the same number of ids, whether anybody was there or not", async () => {
    const estimates = await Promise.all(
      [shown, withheld, empty].map((ids) =>
        call("data", "POST", "/data-agg/estimate", { key: customer.key, body: { ...request, geo_ids: ids.slice(0, 5) } }),
      ),
    );
    const [first, ...others] = estimates.map(({ body }) => body);
    expect(first).toMatchObject({ estimated_rows_max: 5 });
    expect(others).toEqual([first, first]);
  });

  it("the availability of a day counts the published rows of the whole country", async () => {
    const levels = await Promise.all(COARSER.map((level) => publishedActivities(level, "hourly", "sum_unique_people")));
    const rows = levels.reduce((sum, level) => sum + level.size, published.size);
    expect(rows).toBeLessThan(raw.length);
    const path = `/data-availability?country_code=${COUNTRY}&dataset=activities&start_time=${DATE}&end_time=${DATE}`;
    const { body } = await call("data", "GET", path, { key: customer.key });
    expect(body).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining({ table_name: "activities_hourly", total_rows: rows })]),
    });
  });
});

function timeOf(key: string): string {
  return key.split(" ")[0] ?? "";
}

/** The most frequent value. */
function busiest(times: readonly string[]): string {
  const counts = Map.groupBy(times, (time) => time);
  return [...counts].sort(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? WINDOW.start_time;
}
