import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { call, keyOf, newCustomer } from "../../infra/testing/service.ts";
import { keyHash } from "../../shared/accounts/api-key.ts";
import { SubmitResponse } from "../../shared/aggregation/job-schemas.ts";
import { firestore } from "../../shared/google/firestore.ts";
import { Problem } from "../../shared/http/problem.ts";
import { config } from "../../shared/runtime/config.ts";

const customer = await newCustomer();
const key = keyOf(customer);
const window = { start_time: "2026-11-01T00:00:00Z", end_time: "2026-11-02T00:00:00Z" };
const odm = { agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m", ...window };
const activities = { agg_type: "activities", measure: "sum_unique_people", activity_type: "hourly", geo_type: "grid_1000m", ...window };

function submit(body: unknown, headers: Record<string, string> = {}) {
  return call("data", "POST", "/data-agg", { key, body, headers });
}

describe("a submission", () => {
  it("returns at once with the URLs of its status and results", async () => {
    const { status, body, headers } = await submit(odm);
    const { job_id } = v.parse(SubmitResponse, body);
    expect({ status, body }).toEqual({
      status: 202,
      body: { job_id, status: "queued", status_url: `/data-agg/status/${job_id}`, results_url: `/data-agg/results/${job_id}` },
    });
    expect(headers.get("location")).toBe(`/data-agg/status/${job_id}`);
  });

  it.each([
    ["ids as numbers, strings and both", { ...activities, geo_ids: [1, "2", "0003"] }],
    ["10,000 ids", { ...activities, geo_ids: Array.from({ length: 10_000 }, (_, index) => index) }],
    ["full as a text", { ...odm, full: "false" }],
    ["a country's alias in any case", { ...odm, country_code: "ee" }],
    ["offsets in every form of ISO 8601", { ...odm, start_time: "2026-11-01t00:00:00+02", end_time: "2026-11-02T00:00+0200" }],
    ["a bare date", { ...odm, start_time: "2026-11-01", end_time: "2026-11-02" }],
  ])("accepts %s", async (_what, body) => {
    expect(await submit(body)).toMatchObject({ status: 202 });
  });
});

describe("a rejection", () => {
  it.each([
    ["another product", { ...odm, agg_type: "traffic" }, [{ pointer: "/agg_type", allowed: ["activities", "odm", "flow"] }]],
    [
      "another product, with what no product takes",
      { ...odm, agg_type: "traffic", country_code: "Norway", start_time: "yesterday", full: "maybe", farmat: "csv" },
      [
        { pointer: "/farmat", detail: "is not a known field; did you mean format?" },
        { pointer: "/agg_type", allowed: ["activities", "odm", "flow"] },
        { pointer: "/country_code" },
        { pointer: "/start_time" },
        { pointer: "/full", detail: "must be true or false" },
      ],
    ],
    ["no product", { ...odm, agg_type: undefined }, [{ pointer: "/agg_type", detail: "is required: activities, odm, flow" }]],
    ["an unknown field", { ...odm, geo_idz: [1] }, [{ pointer: "/geo_idz", detail: "is not a known field" }]],
    [
      "misspelt fields",
      { ...activities, measure: undefined, mesure: "stays_count", geo_id: [1] },
      [
        { pointer: "/mesure", detail: "is not a known field; did you mean measure?" },
        { pointer: "/geo_id", detail: "is not a known field; did you mean geo_ids?" },
        { pointer: "/measure", detail: expect.stringContaining("is required") },
      ],
    ],
    [
      "a window of more than 400 days",
      { ...odm, start_time: "2025-01-01T00:00:00Z", end_time: "2026-02-05T00:00:01Z" },
      [{ pointer: "/end_time", detail: "must be at most 400 days after start_time" }],
    ],
    [
      "a reversed window",
      { ...odm, start_time: window.end_time, end_time: window.start_time },
      [{ pointer: "/end_time", detail: "must be after start_time" }],
    ],
    ["an empty window", { ...odm, end_time: window.start_time }, [{ pointer: "/end_time" }]],
    [
      "a time without an offset",
      { ...odm, start_time: "2026-11-01T00:00:00" },
      [{ pointer: "/start_time", detail: expect.stringContaining("offset") }],
    ],
    [
      "10,001 ids",
      { ...activities, geo_ids: Array.from({ length: 10_001 }, (_, index) => index) },
      [{ pointer: "/geo_ids", detail: "must hold at most 10,000 ids" }],
    ],
    ["no id in the list", { ...activities, geo_ids: [] }, [{ pointer: "/geo_ids", detail: expect.stringContaining("at least one") }]],
    ["an id that is none", { ...activities, geo_ids: [1, "two"] }, [{ pointer: "/geo_ids/1" }]],
    ["a fractional id", { ...activities, geo_ids: [1.5] }, [{ pointer: "/geo_ids/0" }]],
    [
      "a measure that climbs folders",
      { ...odm, measure: "../x" },
      [{ pointer: "/measure", detail: expect.stringContaining("lower-case") }],
    ],
    [
      "an unknown measure of Activities",
      { ...activities, measure: "people" },
      [{ pointer: "/measure", allowed: expect.arrayContaining(["sum_unique_people", "stays_devices"]) }],
    ],
    ["full as a number", { ...odm, full: 1 }, [{ pointer: "/full", detail: "must be true or false" }]],
    ["a country code that is none", { ...odm, country_code: "Estonia" }, [{ pointer: "/country_code" }]],
    [
      "a country that is not there",
      { ...odm, country_code: "SWE" },
      [{ pointer: "/country_code", allowed: expect.arrayContaining(["EST", "NOR"]) }],
    ],
  ])("of %s names the field", async (_what, body, errors) => {
    const answer = await submit(body);
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_argument", errors } });
    expect(answer.body).toHaveProperty("error", v.parse(v.object({ detail: v.string() }), answer.body).detail);
  });

  it("lists all invalid fields at once, the unknown ones first", async () => {
    const { body } = await submit({ agg_type: "activities", measure: "x", geo_type: "y", start_time: "z", other: 1, further: 2 });
    const { errors } = v.parse(v.object({ errors: v.array(v.object({ pointer: v.string() })) }), body);
    const pointers = errors.map(({ pointer }) => pointer);
    expect(pointers.slice(0, 2)).toEqual(["/other", "/further"]);
    expect(pointers.slice(2).sort()).toEqual(["/activity_type", "/end_time", "/geo_type", "/measure", "/start_time"]);
  });

  it.each([
    ["POST", "XX"],
    ["POST", "Estonia"],
    ["GET", "XX"],
    ["GET", "Estonia"],
  ])("of a %s tells an unknown country (%s) together with other invalid fields", async (method, country_code) => {
    const faulty = { ...activities, country_code, geo_type: "county", end_time: "tomorrow", geo_ids: "x" };
    const { body } =
      method === "POST"
        ? await submit({ ...faulty, geo_ids: ["x"] })
        : await call("data", "GET", `/data-agg?${new URLSearchParams(faulty)}`, { key });
    const { errors } = v.parse(v.object({ errors: v.array(v.object({ pointer: v.string() })) }), body);
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual(["/country_code", "/end_time", "/geo_ids/0", "/geo_type"]);
  });

  it.each([
    [
      "a geography that the country has not",
      { ...odm, origin_geo_type: "grid_250m" },
      [{ pointer: "/origin_geo_type", allowed: ["grid_1000m"] }],
    ],
    [
      "osm_links outside Norway",
      { ...odm, country_code: "LAT", origin_geo_type: "osm_links", destination_geo_type: "osm_links" },
      [{ pointer: "/origin_geo_type" }, { pointer: "/destination_geo_type" }],
    ],
    ["an Activities geography that the country has not", { ...activities, geo_type: "grid_250m" }, [{ pointer: "/geo_type" }]],
  ])("of %s lists the valid combinations", async (_what, body, errors) => {
    expect(await submit(body)).toMatchObject({ status: 400, body: { code: "unsupported_combination", errors } });
  });

  it("of a country that the key does not cover is a 403", async () => {
    const norwegian = await newCustomer({ countries: ["NOR"], defaultCountry: "NOR" });
    const answer = await call("data", "POST", "/data-agg", { key: keyOf(norwegian), body: { ...odm, country_code: "EST" } });
    expect(answer).toMatchObject({ status: 403, body: { code: "permission_denied", detail: expect.stringContaining("it covers NOR") } });
  });
});

describe("an Idempotency-Key", () => {
  it("returns its job for the same body, and rejects another body", async () => {
    const headers = { "idempotency-key": "order 66" };
    const first = await submit(odm, headers);
    const again = await submit(odm, headers);
    expect(again).toMatchObject({ status: 202 });
    expect(v.parse(SubmitResponse, again.body).job_id).toBe(v.parse(SubmitResponse, first.body).job_id);
    expect(await submit({ ...odm, full: true }, headers)).toMatchObject({ status: 422, body: { code: "idempotency_mismatch" } });
  });

  it("is separate for each customer", async () => {
    const headers = { "idempotency-key": "shared by chance" };
    const mine = await submit(odm, headers);
    const theirs = await call("data", "POST", "/data-agg", { key: keyOf(await newCustomer()), body: odm, headers });
    expect(v.parse(SubmitResponse, theirs.body).job_id).not.toBe(v.parse(SubmitResponse, mine.body).job_id);
  });

  it("never returns the job of a country that the key does not cover", async () => {
    const headers = { "idempotency-key": "across a border" };
    const own = await newCustomer();
    const norwegian = keyOf(own, "warehouse");
    const grants = { countries: ["NOR"], defaultCountry: "NOR" };
    await firestore(config())
      .doc(`apiKeys/${keyHash(config().environment, norwegian)}`)
      .update(grants);
    expect(await call("data", "POST", "/data-agg", { key: keyOf(own), body: odm, headers })).toMatchObject({ status: 202 });
    expect(await call("data", "POST", "/data-agg", { key: norwegian, body: odm, headers })).toMatchObject({
      status: 422,
      body: { code: "idempotency_mismatch" },
    });
  });

  it("that is too long is rejected", async () => {
    expect(await submit(odm, { "idempotency-key": "x".repeat(256) })).toMatchObject({ status: 400 });
  });
});

describe("a customer deleted after its key was found", () => {
  it("gets the response of an unknown key", async () => {
    const gone = await newCustomer();
    await firestore(config()).collection("customers").doc(gone.uid).delete();
    const [late, unknown] = [keyOf(gone), "0".repeat(64)];
    const [of, as] = await Promise.all([late, unknown].map((key) => call("data", "POST", "/data-agg", { key, body: odm })));
    const { status, code, detail } = v.parse(Problem, of?.body);
    expect({ status, code, detail }).toEqual({ status: 401, code: "unauthenticated", detail: v.parse(Problem, as?.body).detail });
  });
});
