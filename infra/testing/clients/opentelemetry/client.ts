import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import { type PersistentService, startPersistent } from "../../persistent-service.ts";
import type { Client } from "../client.ts";
import { goPrograms } from "../tools/go-programs.ts";
import { type CollectedSpan, type Collector, startCollector } from "./collector.ts";

const programs = goPrograms(new URL("./", import.meta.url));

/** The caller's span, in each of its traces. */
const CALLER = "b7ad6b7169203331";
/** The random part of this one is the highest: it is in every sample. */
const TRACE_OF_JOB = `5af7651916cd43dd84${"f".repeat(14)}`;
const TRACES = Array.from({ length: 200 }, (_, index) => createHash("sha256").update(String(index)).digest("hex").slice(0, 32));
const DAY_MS = 86_400_000;
const ARRIVES_WITHIN_MS = 30_000;
const POLL_MS = 50;
const Submitted = v.object({ job_id: v.string() });

/** The share of the traces that the functions export, and the share of these that the collector keeps: a half and a half of it. */
const EXPORTED = { share: 0.5, lowest: "80000000000000", traceState: "ot=th:8" };
const KEPT = { percent: 50, lowest: "c0000000000000", traceState: "ot=th:c" };

const isAbove = (traceId: string, lowest: string): boolean => traceId.slice(-lowest.length) >= lowest;

/** Sends a request in each trace, and a job in one. */
async function useService({ ready, request }: PersistentService): Promise<void> {
  const key = ready.customers[0]?.keys.storage ?? "";
  const headers = (trace: string) => ({
    "x-api-key": key,
    "content-type": "application/json",
    traceparent: `00-${trace}-${CALLER}-01`,
  });
  for (const trace of TRACES) {
    const response = await fetch(`${ready.data_base_url}/countries`, { headers: headers(trace) });
    if (!response.ok) throw new Error(`GET /countries answered ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
  }
  const [from, to] = [3, 2].map((days) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10));
  const types = { origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m" };
  const body = JSON.stringify({ agg_type: "odm", measure: "trips", ...types, start_time: from, end_time: to });
  const submitted = await fetch(`${ready.data_base_url}/data-agg`, { method: "POST", headers: headers(TRACE_OF_JOB), body });
  const { job_id: id } = v.parse(Submitted, await submitted.json());
  for (const until = Date.now() + ARRIVES_WITHIN_MS; Date.now() < until; await wait(POLL_MS)) {
    const { body: status } = await request(`${ready.data_base_url}/data-agg/status/${id}`, { key });
    if (v.is(v.object({ status: v.literal("completed") }), status)) return;
  }
  throw new Error(`The job ${id} did not end`);
}

/** Waits until the spans that must arrive are there. Others may come until the service has stopped. */
async function waitForSpans({ arrived }: Collector): Promise<void> {
  const wanted = [...TRACES.filter((trace) => isAbove(trace, EXPORTED.lowest)), TRACE_OF_JOB];
  for (const until = Date.now() + ARRIVES_WITHIN_MS; Date.now() < until; await wait(POLL_MS)) {
    const spans = arrived();
    const there = new Set(spans.map(({ traceId }) => traceId));
    const hasRun = spans.some(({ traceId, name }) => traceId === TRACE_OF_JOB && name === "aggregation-run");
    if (hasRun && wanted.every((trace) => there.has(trace))) return;
  }
  throw new Error(`Only ${new Set(arrived().map(({ traceId }) => traceId)).size} traces of ${wanted.length} have arrived`);
}

/** Throws an Error unless spans are of those traces alone whose random part is high enough, and say so. */
function expectSample(what: string, spans: readonly CollectedSpan[], { lowest, traceState }: typeof EXPORTED | typeof KEPT): void {
  const there = new Set(spans.map(({ traceId }) => traceId));
  const wrong = TRACES.filter((trace) => there.has(trace) !== isAbove(trace, lowest));
  if (wrong.length > 0) throw new Error(`${what}: ${wrong.length} of ${TRACES.length} traces are there and should not, or are not there`);
  const other = spans.find((span) => span.traceState !== traceState);
  if (other) throw new Error(`${what}: a span has the tracestate ${JSON.stringify(other.traceState)}, not ${traceState}`);
}

/** Throws an Error unless the spans of the job lead from the request to the query. */
function expectTree(spans: readonly CollectedSpan[]): void {
  const own = spans.filter(({ traceId }) => traceId === TRACE_OF_JOB);
  const ids = new Set([CALLER, ...own.map(({ spanId }) => spanId)]);
  const lost = own.filter(({ parentSpanId }) => !ids.has(parentSpanId ?? ""));
  if (lost.length > 0)
    throw new Error(`These spans of the job have a parent that is not there: ${lost.map(({ name }) => name).join(", ")}`);
  const expected = { "POST /data-agg": 2, "enqueue task": 4, "aggregation-run": 5, "BigQuery: start query": 3 };
  for (const [name, kind] of Object.entries(expected))
    if (!own.some((span) => span.name === name && span.kind === kind)) throw new Error(`The job has no span ${name} of kind ${kind}`);
}

/** The OpenTelemetry Collector, to which operators have the functions export their traces. Its first build takes a minute and more. */
export const opentelemetry: Client = {
  name: "opentelemetry",
  tool: programs,
  checks: [
    {
      name: "a job's trace, and samples of a sample",
      quick: false,
      run: async ({ folder }) => {
        const collector = await startCollector(await programs.program("collector"), folder, KEPT.percent);
        try {
          const shell = `export OTEL_EXPORTER_OTLP_ENDPOINT=${collector.url} OTEL_TRACES_SAMPLER_ARG=${EXPORTED.share};`;
          const args = ["--engines", "embedded", "--days", "1", "--no-schedule"];
          const service = await startPersistent(join(folder, "data"), { args, shell });
          try {
            await useService(service);
            await waitForSpans(collector);
          } finally {
            await service.stop();
          }
        } finally {
          await collector.stop();
        }
        expectSample("What the functions exported", collector.arrived(), EXPORTED);
        expectSample("What the collector kept of it", collector.kept(), KEPT);
        expectTree(collector.arrived());
      },
    },
  ],
};
