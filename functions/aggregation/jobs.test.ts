import { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { beforeAll, describe, expect, it } from "vitest";
import { call, keyOf, newCustomer, ready, runJob } from "../../infra/testing/service.ts";
import { keyHash } from "../../shared/accounts/api-key.ts";
import { JobListResponse } from "../../shared/aggregation/job-list-schemas.ts";
import { config } from "../../shared/runtime/config.ts";

const customer = await newCustomer();
const key = keyOf(customer);
const window = { start_time: "2020-01-01", end_time: "2020-01-02" };
const activities = { agg_type: "activities", measure: "stays_count", activity_type: "daily", geo_type: "grid_1000m", ...window };
const odm = { agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m", ...window };
const submitted: string[] = [];

async function list(query = "", of = key) {
  const answer = await call("data", "GET", `/data-agg/jobs${query}`, { key: of });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  return v.parse(JobListResponse, answer.body);
}

/** Limits the customer's second key to some countries and returns it. */
async function limitTo(countries: readonly string[]): Promise<string> {
  const limited = keyOf(customer, "warehouse");
  const db = new Firestore({ projectId: ready.project });
  await db.doc(`apiKeys/${keyHash(config().environment, limited)}`).update({ countries });
  await db.terminate();
  return limited;
}

beforeAll(async () => {
  for (const body of [
    activities,
    odm,
    { ...odm, full: true },
    activities,
    { ...odm, country_code: "LAT", origin_geo_type: "admin_level_2" },
  ])
    submitted.push((await runJob(key, body)).id);
});

describe("the list of jobs", () => {
  it("has the customer's own, newest first, with the status and request of each", async () => {
    const { jobs, next_cursor } = await list();
    expect(jobs.map(({ job_id }) => job_id)).toEqual(submitted.toReversed());
    expect(next_cursor).toBeNull();
    const { body: status } = await call("data", "GET", `/data-agg/status/${submitted[2]}`, { key });
    expect(jobs[2]).toEqual({ ...Object(status), agg_type: "odm", country_code: "EST", full: true, submitted_by: "storage" });
    const withRequest = await call("data", "GET", `/data-agg/status/${submitted[3]}?include=request`, { key });
    const read = { ...activities, start_time: "2020-01-01T00:00:00.000Z", end_time: "2020-01-02T00:00:00.000Z" };
    expect(withRequest.body).toMatchObject({ job_id: submitted[3], request: { ...read, country_code: "EST", full: false } });
  });

  it("is empty for a customer without jobs", async () => {
    expect(await list("", keyOf(await newCustomer()))).toEqual({ jobs: [], next_cursor: null });
  });

  it.each([
    ["?agg_type=odm", [4, 2, 1]],
    ["?status=completed", [4, 3, 2, 1, 0]],
    ["?status=queued", []],
    ["?status=completed&agg_type=activities", [3, 0]],
    ["?agg_type=flow", []],
  ])("%s omits the others", async (query, expected) => {
    expect((await list(query)).jobs.map(({ job_id }) => submitted.indexOf(job_id))).toEqual(expected);
  });

  it.each(["", "&agg_type=odm", "&status=completed&agg_type=odm"])(
    "in pages%s has each job once and ends with a null cursor",
    async (filter) => {
      const whole = (await list(`?limit=100${filter}`)).jobs.map(({ job_id }) => job_id);
      const seen: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const page: v.InferOutput<typeof JobListResponse> = await list(`?limit=1${filter}${cursor && `&cursor=${cursor}`}`);
        expect(page.jobs).toHaveLength(1);
        seen.push(...page.jobs.map(({ job_id }) => job_id));
        cursor = page.next_cursor;
      }
      expect(seen).toEqual(whole);
    },
  );

  it("has only jobs of the key's countries, in pages without gaps, and no cursor names another", async () => {
    const estonian = await limitTo(["EST"]);
    const own = submitted.slice(0, 4).toReversed();
    expect((await list("", estonian)).jobs.map(({ job_id }) => job_id)).toEqual(own);
    const first = await list("?limit=3", estonian);
    expect(first.jobs.map(({ job_id }) => job_id)).toEqual(own.slice(0, 3));
    const last = await list(`?limit=3&cursor=${first.next_cursor}`, estonian);
    expect(last).toMatchObject({ jobs: [{ job_id: own[3] }], next_cursor: null });
    expect((await list("?agg_type=odm&status=completed", estonian)).jobs.map(({ job_id }) => submitted.indexOf(job_id))).toEqual([2, 1]);
    expect(await list("", await limitTo([]))).toEqual({ jobs: [], next_cursor: null });
    // Firestore takes 30 countries in one query: these are asked for in three, EST in the last.
    const wide = await limitTo(["LAT", ...Array.from({ length: 70 }, (_, index) => `X${index}`), "EST"]);
    expect(await list("", wide)).toEqual(await list());
    const pages = [await list("?limit=3", wide)];
    expect(await list(`?limit=3&cursor=${pages[0]?.next_cursor}`, wide)).toMatchObject({
      jobs: submitted
        .toReversed()
        .slice(3, 6)
        .map((job_id) => ({ job_id })),
    });
  });

  it("skips an invalid document and continues after it", async () => {
    const own = await newCustomer();
    const ids = [];
    for (let made = 0; made < 3; made++) ids.push((await runJob(keyOf(own), activities)).id);
    const db = new Firestore({ projectId: ready.project });
    await db
      .collection("jobs")
      .doc(ids[1] ?? "")
      .update({ status: "no such status" });
    await db.terminate();
    const first = await list("?limit=1", keyOf(own));
    const second = await list(`?limit=1&cursor=${first.next_cursor}`, keyOf(own));
    const third = await list(`?limit=1&cursor=${second.next_cursor}`, keyOf(own));
    expect([first, second, third].map(({ jobs }) => jobs.map(({ job_id }) => job_id))).toEqual([[ids[2]], [], [ids[0]]]);
    expect(third.next_cursor).toBeNull();
  });

  it.each([
    ["?limit=0", "/limit", "must be a whole number from 1 to 100"],
    ["?limit=101", "/limit", "must be a whole number from 1 to 100"],
    ["?limit=ten", "/limit", "must be a whole number from 1 to 100"],
    ["?status=done", "/status", "must be one of queued, running, completed, failed, cancelled, expired"],
    ["?agg_type=traffic", "/agg_type", "must be one of activities, odm, flow"],
    ["?cursor=abc", "/cursor", "must be a next_cursor of this list"],
    ["?state=queued", "/state", "is not a known field; did you mean status?"],
  ])("rejects %s", async (query, pointer, detail) => {
    const answer = await call("data", "GET", `/data-agg/jobs${query}`, { key });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer, detail }] } });
  });
});
