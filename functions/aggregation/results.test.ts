import { Firestore } from "@google-cloud/firestore";
import { describe, expect, it } from "vitest";
import { functionsConfig } from "../../infra/local/functions-environment.ts";
import { countryOf } from "../../infra/testing/reference/countries.ts";
import { call, keyOf, newCustomer, ready, runJob } from "../../infra/testing/service.ts";
import { keyHash } from "../../shared/accounts/api-key.ts";

const customer = await newCustomer();
const other = await newCustomer();
const { k: K, step: STEP } = countryOf({});
const body = {
  agg_type: "activities",
  measure: "sum_unique_people",
  activity_type: "daily",
  geo_type: "grid_1000m",
  start_time: "2020-01-01",
  end_time: "2020-01-02",
};

describe("a job", () => {
  it("of another customer gets the same response as one that does not exist", async () => {
    const { id } = await runJob(keyOf(customer), body);
    for (const kind of ["status", "results"]) {
      const foreign = await call("data", "GET", `/data-agg/${kind}/${id}`, { key: keyOf(other) });
      const unknown = await call("data", "GET", `/data-agg/${kind}/00000000-0000-4000-8000-000000000000`, { key: keyOf(other) });
      expect(foreign).toMatchObject({ status: 404, body: { code: "not_found" } });
      expect({ ...Object(foreign.body), request_id: "" }).toEqual({ ...Object(unknown.body), request_id: "" });
    }
  });

  it("of a country that the key does not cover gets the same response as one that does not exist", async () => {
    const { id } = await runJob(keyOf(customer), { ...body, country_code: "NOR" });
    const { environment } = functionsConfig(ready.project);
    const db = new Firestore({ projectId: ready.project });
    await db
      .collection("apiKeys")
      .doc(keyHash(environment, keyOf(customer, "warehouse")))
      .update({ countries: ["EST"] });
    await db.terminate();
    const as = keyOf(customer, "warehouse");
    for (const [method, path] of [
      ["GET", "/data-agg/status/"],
      ["GET", "/data-agg/results/"],
      ["POST", "/data-agg/cancel/"],
    ] as const) {
      const foreign = await call("data", method, path + id, { key: as });
      const unknown = await call("data", method, `${path}00000000-0000-4000-8000-000000000000`, { key: as });
      expect(foreign).toMatchObject({ status: 404, body: { code: "not_found", detail: "There is no such job" } });
      expect({ ...Object(foreign.body), request_id: "" }).toEqual({ ...Object(unknown.body), request_id: "" });
    }
  });

  it.each(["x", "%2e%2e", "00000000-0000-4000-8000-00000000000", "%"])("with the malformed id %s is a 404", async (id) => {
    expect(await call("data", "GET", `/data-agg/status/${id}`, { key: keyOf(customer) })).toMatchObject({ status: 404 });
  });

  it("is found by its id in upper case, as some programs write UUIDs", async () => {
    const key = keyOf(customer);
    const { id } = await runJob(key, body);
    for (const [method, path] of [
      ["GET", `/data-agg/status/${id.toUpperCase()}`],
      ["GET", `/data-agg/results/${id.toUpperCase()}`],
    ] as const)
      expect(await call("data", method, path, { key })).toMatchObject({ status: 200, body: { job_id: id } });
    for (const path of [`/data-agg/cancel/${id.toUpperCase()}`, `/data-agg/results/${id.toUpperCase()}/urls`])
      expect(await call("data", "POST", path, { key })).toMatchObject({ status: 409, body: { code: "conflict" } });
  });

  it("over a window without data completes with no rows", async () => {
    const { id, status } = await runJob(keyOf(customer), body);
    expect(status).toBe("completed");
    expect(await call("data", "GET", `/data-agg/results/${id}`, { key: keyOf(customer) })).toMatchObject({
      status: 200,
      body: { country_code: "EST", preview: [], total_rows: 0, meta: { suppressed_rows: null, unknown_ids: [], k: K, step: STEP } },
    });
  });

  it("that was stored with a number of withheld rows does not tell it", async () => {
    const { id } = await runJob(keyOf(customer), body);
    const db = new Firestore({ projectId: ready.project });
    await db.collection("jobs").doc(id).update({ "result.meta.suppressed_rows": 465 });
    await db.terminate();
    const answer = await call("data", "GET", `/data-agg/results/${id}`, { key: keyOf(customer) });
    expect(answer).toMatchObject({ status: 200, body: { meta: { suppressed_rows: null } } });
  });

  it("that a newer release stored, with members and a warning that this one does not know, is answered without them", async () => {
    const { id } = await runJob(keyOf(customer), body);
    const ask = () => call("data", "GET", `/data-agg/results/${id}`, { key: keyOf(customer) });
    const before = await ask();
    const db = new Firestore({ projectId: ready.project });
    const { warnings } = Object(await db.collection("jobs").doc(id).get()).get("result");
    await db
      .collection("jobs")
      .doc(id)
      .update({
        newer: { field: 1 },
        "result.newer": [1],
        "result.meta.newer": true,
        "result.warnings": [...warnings, { code: "newer", detail: "x" }].map((warning) => ({ ...warning, newer: 1 })),
        "request.newer": "x",
      });
    await db.terminate();
    const after = await ask();
    expect({ ...Object(after.body), request_id: "" }).toEqual({ ...Object(before.body), request_id: "" });
    expect(await call("data", "GET", "/data-agg/jobs", { key: keyOf(customer) })).toMatchObject({
      status: 200,
      body: { jobs: expect.arrayContaining([expect.objectContaining({ job_id: id })]) },
    });
  });

  it("lists requested ids that are not geographies", async () => {
    const { id } = await runJob(keyOf(customer), { ...body, geo_ids: [3, 1, 2] });
    expect(await call("data", "GET", `/data-agg/results/${id}`, { key: keyOf(customer) })).toMatchObject({
      body: { meta: { unknown_ids: [1, 2, 3] } },
    });
  });
});
