import { createServer } from "node:http";
import * as v from "valibot";
import { expect, it } from "vitest";
import { listen } from "../../infra/local/server.ts";
import { ReceivedSpans, startOtlpReceiver } from "../../infra/testing/otlp-receiver.ts";
import { createExporter, type ExportOptions, samplingOf } from "./export.ts";
import type { Span } from "./span.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const span: Span = {
  ...{ traceId, spanId: "b7ad6b7169203331", parentSpanId: undefined, name: "GET /x", kind: "server", isEntry: false },
  ...{ startedAt: 1_767_225_600_000.125, endedAt: 1_767_225_600_001, attributes: { "http.route": "/x", status: 503 }, hasFailed: true },
};

function exporterTo(endpoint: string, share = 1) {
  const warnings: Parameters<ExportOptions["warn"]>[1][] = [];
  const exporter = createExporter({
    endpoint,
    share,
    resource: { "service.name": "t" },
    warn: (_message, fields) => warnings.push(fields),
  });
  return { ...exporter, warnings };
}

it("sends spans as a collector reads them, with times of a microsecond", async () => {
  const collector = await startOtlpReceiver();
  const { add, flush, warnings } = exporterTo(collector.url);
  add(span);
  add({ ...span, spanId: "b7ad6b7169203332", parentSpanId: span.spanId, kind: "client", hasFailed: false, isEntry: true });
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

it("drops what a collector refuses or is not there for, tells it once, and fails nothing", async () => {
  const refusing = createServer((_request, response) => response.writeHead(503).end());
  const port = await listen(refusing);
  const refused = exporterTo(`http://127.0.0.1:${port}`);
  for (let round = 0; round < 3; round++) {
    refused.add({ ...span, isEntry: true });
    await refused.flush();
  }
  expect(refused.warnings).toEqual([{ spans: 1, fault: "the collector answered 503" }]);
  await new Promise((resolve) => refusing.close(resolve));
  const absent = exporterTo(`http://127.0.0.1:${port}`);
  absent.add({ ...span, isEntry: true });
  await absent.flush();
  expect(absent.warnings).toEqual([{ spans: 1, fault: expect.any(String) }]);
});

it("keeps a bounded number of spans while a collector does not answer", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let requests = 0;
  const slow = createServer((_request, response) => {
    requests++;
    void held.then(() => response.writeHead(200).end());
  });
  const { add, flush, warnings } = exporterTo(`http://127.0.0.1:${await listen(slow)}`);
  add({ ...span, isEntry: true });
  for (let index = 0; index < 2100; index++) add(span);
  expect(warnings).toEqual([{ spans: 1, fault: "2000 spans wait" }]);
  release();
  await flush();
  expect(requests).toBe(5);
  await new Promise((resolve) => slow.close(resolve));
});

it("exports the share of the traces that is wanted, whole traces each", () => {
  const ids = Array.from({ length: 1000 }, (_, index) =>
    (BigInt(index) * 0x9e3779b97f4a7c15f39cc0605cedc835n).toString(16).slice(-32).padStart(32, "0"),
  );
  const count = (share: number) => ids.filter(samplingOf(share).has).length;
  expect([count(0), count(1)]).toEqual([0, 1000]);
  expect(Math.abs(count(0.25) - 250)).toBeLessThan(50);
});

it.each([
  [1, "ot=th:0", "00000000000000", undefined],
  [0.5, "ot=th:8", "80000000000000", "7fffffffffffff"],
  [0.25, "ot=th:c", "c0000000000000", "bfffffffffffff"],
  [0.1, "ot=th:e6666666666668", "e6666666666668", "e6666666666667"],
])("samples a share of %d as OpenTelemetry has it: %s", (share, traceState, first, below) => {
  const sampling = samplingOf(share);
  expect(sampling.traceState).toBe(traceState);
  expect(sampling.has(`${"f".repeat(18)}${first}`)).toBe(true);
  if (below !== undefined) expect(sampling.has(`${"f".repeat(18)}${below}`)).toBe(false);
});
