import functionsTest from "firebase-functions-test";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { call, keyOf, newCustomer, ready, runJob } from "../../infra/testing/service.ts";
import run from "./run.ts";

const { wrap } = functionsTest({ projectId: ready.project });
const customer = await newCustomer();
const key = keyOf(customer);
const body = {
  agg_type: "odm",
  measure: "trips",
  origin_geo_type: "grid_1000m",
  destination_geo_type: "grid_1000m",
  start_time: "2020-01-01",
  end_time: "2020-01-02",
};

function deliver(message: unknown): Promise<unknown> {
  return wrap(run)({ data: { message: { data: Buffer.from(JSON.stringify(message)).toString("base64") } } });
}

describe("a delivery", () => {
  it("that is redelivered after the job has finished changes nothing", async () => {
    const { id } = await runJob(key, body);
    const before = await call("data", "GET", `/data-agg/status/${id}`, { key });
    for (const delivery of [
      { attempt: 1, step: 0 },
      { attempt: 1, step: 1 },
      { attempt: 2, step: 0 },
    ])
      await deliver({ job_id: id, ...delivery });
    expect((await call("data", "GET", `/data-agg/status/${id}`, { key })).body).toEqual(before.body);
  });

  it.each([
    ["no JSON"],
    [{}],
    [{ job_id: "../x", attempt: 1, step: 0 }],
    [{ job_id: "00000000-0000-4000-8000-000000000000", attempt: 1, step: 0 }],
  ])("without a valid job message is acknowledged, since a retry cannot help: %j", async (message) => {
    await expect(deliver(message)).resolves.toBeUndefined();
  });
});

describe("a customer's slots", () => {
  it("are reused: more jobs than slots all complete", async () => {
    const jobs = await Promise.all(Array.from({ length: 12 }, () => runJob(key, body)));
    expect(jobs.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => "completed"));
  });

  it("and queue are limited: the next submission is a 429 with Retry-After", async () => {
    const busy = await newCustomer({ limits: { runningJobs: 0, unfinishedJobs: 2 } });
    const submit = () => call("data", "POST", "/data-agg", { key: keyOf(busy), body });
    const answers = [await submit(), await submit(), await submit()];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 429]);
    expect(answers[2]?.headers.get("retry-after")).toMatch(/^\d+$/);
    const status = v.parse(v.object({ status_url: v.string() }), answers[0]?.body).status_url;
    expect(await call("data", "GET", status, { key: keyOf(busy) })).toMatchObject({
      body: { status: "queued", progress: 0, started_at: null },
    });
  });
});
