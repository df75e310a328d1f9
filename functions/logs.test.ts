import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { describe, expect, inject, it, vi } from "vitest";
import { queriesOfFunctions } from "../infra/testing/function-queries.ts";
import { type ReceivedSpan, ReceivedSpans } from "../infra/testing/otlp-receiver.ts";
import { call, keyOf, newCustomer, ready } from "../infra/testing/service.ts";
import { LoginResponse } from "../shared/accounts/login-schemas.ts";

const customer = await newCustomer();
const key = keyOf(customer);
const Line = v.looseObject({
  severity: v.picklist(["DEBUG", "INFO", "NOTICE", "WARNING", "ERROR"]),
  message: v.string(),
  requestId: v.optional(v.string()),
});

/** The lines that the functions have logged for one request. */
function linesOf(requestId: string): v.InferOutput<typeof Line>[] {
  const text = readFileSync(join(dirname(ready.countries_file), "functions.log"), "utf8");
  const lines = text.split("\n").filter((line) => line.includes(requestId));
  return lines.map((line) => v.parse(Line, JSON.parse(line)));
}

it("both log files have one JSON document per line, and the functions framework finds the topic of a push in its path", async () => {
  const name = `projects/${ready.project}/subscriptions/aggregations-run`;
  const subscription: unknown = await (await fetch(`http://${ready.pubsub_host}/v1/${name}`)).json();
  const topic = `projects/${ready.project}/topics/aggregations`;
  expect(subscription).toMatchObject({ topic, pushConfig: { pushEndpoint: `${ready.functions["aggregation-run"]}/${topic}` } });
  for (const file of ["functions.log", "cloud.log"]) {
    const lines = readFileSync(join(dirname(ready.countries_file), file), "utf8")
      .split("\n")
      .slice(0, -1);
    for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow();
  }
});

describe("the log of a request", () => {
  it("has its id, function, customer and trace, in the form that Cloud Logging reads", async () => {
    const trace = "0af7651916cd43dd8448eb211c80319c";
    const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01` };
    const answer = await call("users", "GET", "/admin/maps", { key, headers });
    const id = answer.headers.get("x-request-id") ?? "";
    await expect
      .poll(() => linesOf(id))
      .toMatchObject([
        {
          severity: "INFO",
          requestId: id,
          function: "maps-list",
          uid: customer.uid,
          keyLabel: "storage",
          "logging.googleapis.com/trace": `projects/${ready.project}/traces/${trace}`,
          httpRequest: { requestMethod: "GET", requestUrl: "/admin/maps", status: 200 },
        },
      ]);
  });

  it("never contains a key, a token or the content of a body", async () => {
    const login = await call("users", "POST", "/login-with-apikey", { key });
    const { accessToken } = v.parse(LoginResponse, login.body);
    const wrongKey = "a1".repeat(32);
    const refused = await call("users", "POST", "/login-with-apikey", { key: wrongKey });
    // No time has as many decimals: 24.7 is in every one of some second.
    const longitude = "24.7531";
    const secret = `POLYGON((${longitude} 59.4, 24.8 59.4, 24.8 59.5, ${longitude} 59.4))`;
    const bad = await call("data", "POST", `/data-agg?x=${encodeURIComponent(secret)}`, { key, body: { measure: secret } });
    const ids = [login, refused, bad].map(({ headers }) => headers.get("x-request-id") ?? "");
    await expect.poll(() => ids.map((id) => linesOf(id).length)).toEqual([2, 1, 1]);
    const logged = JSON.stringify(ids.flatMap(linesOf));
    for (const hidden of [key, wrongKey, accessToken, "POLYGON", longitude]) expect(logged).not.toContain(hidden);
  });
});

const ODM = {
  ...{ agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m" },
  ...{ start_time: "2020-01-01", end_time: "2020-01-02" },
};
const Submitted = v.object({ job_id: v.string() });

/** Returns the spans of a trace, once the collector has the last one of a job. */
function spansOf(trace: string, last: string): Promise<readonly ReceivedSpan[]> {
  return vi.waitFor(
    async () => {
      const spans = v.parse(ReceivedSpans, await (await fetch(`${inject("otlp")}/${trace}`)).json());
      expect(spans.map(({ name }) => name)).toContain(last);
      return spans;
    },
    { timeout: 60_000, interval: 20 },
  );
}

describe("the trace of a job", () => {
  const trace = "5af7651916cd43dd8448eb211c803190";
  const caller = "b7ad6b7169203331";

  it("leads from the request over the task and its message to the query, and names no customer", async () => {
    const submitted = await call("data", "POST", "/data-agg", { key, body: ODM, headers: { traceparent: `00-${trace}-${caller}-01` } });
    const { job_id: id } = v.parse(Submitted, submitted.body);
    const spans = await spansOf(trace, "aggregation-run");
    const named = (name: string) => spans.find((span) => span.name === name);
    const [request, task, message, query] = ["POST /data-agg", "enqueue task", "aggregation-run", "BigQuery: start query"].map(named);
    expect([request?.kind, task?.kind, message?.kind, query?.kind]).toEqual([2, 4, 5, 3]);
    const parents = [request, task, message, query].map((span) => span?.parentSpanId);
    expect(parents).toEqual([caller, request?.spanId, task?.spanId, message?.spanId]);
    for (const { startTimeUnixNano, endTimeUnixNano } of spans)
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
    for (const secret of [key, customer.uid, customer.name]) expect(JSON.stringify(spans)).not.toContain(secret);

    const ofJob = (await queriesOfFunctions(ready)).filter(({ labels }) => labels.job === id);
    expect(ofJob.map(({ labels }) => labels.trace)).toEqual([trace]);
    const text = readFileSync(join(dirname(ready.countries_file), "functions.log"), "utf8");
    const completed = text.split("\n").find((line) => line.includes("Job completed") && line.includes(id));
    expect(completed).toContain(`"logging.googleapis.com/trace":"projects/${ready.project}/traces/${trace}"`);
  });

  it("is the job's own, also when another job's end gives it its slot", async () => {
    const single = keyOf(await newCustomer({ limits: { runningJobs: 1 } }));
    const traces = ["6af7651916cd43dd8448eb211c803191", "6af7651916cd43dd8448eb211c803192"];
    for (const one of traces)
      expect(
        await call("data", "POST", "/data-agg", { key: single, body: ODM, headers: { traceparent: `00-${one}-${caller}-01` } }),
      ).toMatchObject({ status: 202 });
    for (const one of traces) {
      const spans = await spansOf(one, "aggregation-run");
      expect(spans.filter(({ name }) => name === "aggregation-run" || name === "POST /data-agg")).toHaveLength(2);
    }
  });
});
