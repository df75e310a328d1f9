import { createServer, type Server } from "node:http";
import * as v from "valibot";
import { expect, it } from "vitest";
import { listen } from "../../infra/local/server.ts";
import { ReceivedSpans, startOtlpReceiver } from "../../infra/testing/otlp-receiver.ts";
import { createExporter, type ExportOptions } from "./export.ts";
import type { Span } from "./span.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const span: Span = {
  ...{ traceId, spanId: "b7ad6b7169203331", parentSpanId: undefined, name: "GET /x", kind: "server", isEntry: false },
  ...{ startedAt: 1_767_225_600_000.125, endedAt: 1_767_225_600_001, attributes: { "http.route": "/x", status: 503 }, hasFailed: true },
};

function exporterTo(endpoint: string) {
  const warnings: Parameters<ExportOptions["warn"]>[1][] = [];
  const clock = { ms: 1000 };
  const exporter = createExporter({
    endpoint,
    share: 1,
    resource: { "service.name": "t" },
    warn: (_message, fields) => warnings.push(fields),
    monotonic: () => clock.ms,
  });
  return { ...exporter, warnings, clock };
}

/** A collector that gives these answers, one after another, and counts the spans of each request. */
async function collectorAnswering(...answers: readonly Answer[]) {
  const counts: number[] = [];
  const left = [...answers];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    request.once("end", () => {
      counts.push(body.split('"spanId"').length - 1);
      const { status = 200, headers = {}, text = "{}" } = left.shift() ?? {};
      response.writeHead(status, headers).end(text);
    });
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  return { url, counts, close: () => closed(server) };
}

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

const closed = (server: Server): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));

it("sends spans as a collector reads them, with times of a microsecond", async () => {
  const collector = await startOtlpReceiver();
  const { add, flush, warnings } = exporterTo(collector.url);
  void add(span);
  void add({ ...span, spanId: "b7ad6b7169203332", parentSpanId: span.spanId, kind: "client", hasFailed: false, isEntry: true });
  await flush();
  const received = v.parse(ReceivedSpans, await (await fetch(`${collector.url}/${traceId}`)).json());
  expect(received).toMatchObject([
    {
      name: "GET /x",
      kind: 2,
      traceState: "ot=th:0",
      startTimeUnixNano: "1767225600000125000",
      endTimeUnixNano: "1767225600001000000",
      status: { code: 2 },
    },
    { kind: 3, parentSpanId: span.spanId, status: {} },
  ]);
  expect(received[0]?.attributes).toEqual([
    { key: "http.route", value: { stringValue: "/x" } },
    { key: "status", value: { intValue: "503" } },
  ]);
  expect(received[0]).not.toHaveProperty("parentSpanId");
  expect(warnings).toEqual([]);
  await collector.close();
});

it("drops what a collector refuses, tells it once, and fails nothing", async () => {
  const collector = await collectorAnswering({ status: 400 }, { status: 400 }, { status: 400 });
  const { add, flush, warnings } = exporterTo(collector.url);
  for (let round = 0; round < 3; round++) {
    void add({ ...span, isEntry: true });
    await flush();
  }
  expect(collector.counts).toEqual([1, 1, 1]);
  expect(warnings).toEqual([{ spans: 1, fault: "the collector answered 400" }]);
  await collector.close();
});

it("drops nothing but what a collector rejects of a batch that it takes", async () => {
  const rejected = { partialSuccess: { rejectedSpans: "1", errorMessage: "too old" } };
  const collector = await collectorAnswering({ text: JSON.stringify(rejected) }, { text: "" }, { text: '{"partialSuccess":{}}' });
  const { add, flush, warnings } = exporterTo(collector.url);
  for (let round = 0; round < 3; round++) {
    void add(span);
    void add({ ...span, isEntry: true });
    await flush();
  }
  expect(collector.counts).toEqual([2, 2, 2]);
  expect(warnings).toEqual([{ spans: 1, fault: "the collector rejected them: too old" }]);
  await collector.close();
});

it("sends again what a collector cannot take now, with a later request", async () => {
  const collector = await collectorAnswering({ status: 503 }, { status: 429, headers: { "retry-after": "7" } }, {}, { status: 502 });
  const { add, flush, warnings, clock } = exporterTo(collector.url);
  const sentAfter = async (ms: number): Promise<readonly number[]> => {
    clock.ms += ms;
    await add({ ...span, isEntry: true });
    return [...collector.counts];
  };
  expect(await sentAfter(0)).toEqual([1]);
  expect(await sentAfter(999)).toEqual([1]);
  expect(await sentAfter(1)).toEqual([1, 3]);
  expect(await sentAfter(6999)).toEqual([1, 3]);
  expect(await sentAfter(1)).toEqual([1, 3, 5]);
  expect(warnings).toEqual([]);
  // A process that ends waits for nothing.
  void add(span);
  await flush();
  expect(collector.counts).toEqual([1, 3, 5, 1]);
  expect(warnings).toEqual([{ spans: 1, fault: "the collector answered 502" }]);
  await collector.close();
});

it("drops a span that cannot be written, and goes on", async () => {
  const collector = await collectorAnswering();
  const { add, warnings } = exporterTo(collector.url);
  await add({ ...span, startedAt: Number.NaN, isEntry: true });
  await add({ ...span, isEntry: true });
  expect(collector.counts).toEqual([1]);
  expect(warnings).toEqual([{ spans: 1, fault: expect.stringContaining("NaN") }]);
  await collector.close();
});

it("keeps the spans of a collector that is not there, until the process ends", async () => {
  const collector = await collectorAnswering();
  await collector.close();
  const { add, flush, warnings } = exporterTo(collector.url);
  void add(span);
  void add({ ...span, isEntry: true });
  await flush();
  expect(warnings).toEqual([{ spans: 2, fault: expect.any(String) }]);
});

it("keeps a bounded number of spans while a collector does not answer", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let requests = 0;
  const slow = createServer((_request, response) => {
    requests++;
    void held.then(() => response.writeHead(200).end());
  });
  const { add, flush, warnings } = exporterTo(`http://127.0.0.1:${await listen(slow)}`);
  void add({ ...span, isEntry: true });
  for (let index = 0; index < 2100; index++) void add(span);
  expect(warnings).toEqual([{ spans: 1, fault: "2000 spans wait" }]);
  release();
  await flush();
  expect(requests).toBe(5);
  await closed(slow);
});
