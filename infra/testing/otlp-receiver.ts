import * as v from "valibot";
import { createLocalServer } from "../local/http-server.ts";
import { listen } from "../local/server.ts";

/** A span as a collector receives it over OTLP/HTTP with JSON. */
const ReceivedSpan = v.object({
  traceId: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  spanId: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/)),
  traceState: v.optional(v.string()),
  parentSpanId: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/))),
  name: v.string(),
  kind: v.picklist([1, 2, 3, 4, 5]),
  startTimeUnixNano: v.pipe(v.string(), v.digits()),
  endTimeUnixNano: v.pipe(v.string(), v.digits()),
  attributes: v.array(v.strictObject({ key: v.string(), value: v.record(v.string(), v.union([v.string(), v.number()])) })),
  status: v.object({ code: v.optional(v.number()) }),
});
export type ReceivedSpan = v.InferOutput<typeof ReceivedSpan>;
const Request = v.strictObject({
  resourceSpans: v.array(
    v.strictObject({
      resource: v.object({ attributes: ReceivedSpan.entries.attributes }),
      scopeSpans: v.array(v.strictObject({ scope: v.object({ name: v.string() }), spans: v.array(ReceivedSpan) })),
    }),
  ),
});
export const ReceivedSpans = v.array(ReceivedSpan);

/**
 * Serves an OTLP/HTTP collector on loopback: `POST /v1/traces` as the protocol has it (400 for a body that it does not), and `GET /TRACE_ID` for
 * the spans of a trace that have arrived. Returns its address.
 */
export async function startOtlpReceiver(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const byTrace = new Map<string, ReceivedSpan[]>();
  const server = createLocalServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => {
      const found = request.method === "GET" ? (byTrace.get(request.url?.slice(1) ?? "") ?? []) : {};
      const isKept = request.method === "GET" || keep(Buffer.concat(chunks).toString("utf8"), request.url, request.headers["content-type"]);
      response.writeHead(isKept ? 200 : 400, { "content-type": "application/json" }).end(JSON.stringify(found));
    });
  });
  const keep = (body: string, path: string | undefined, type: string | undefined): boolean => {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Request), body);
    if (!parsed.success || path !== "/v1/traces" || type !== "application/json") return false;
    for (const span of parsed.output.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
      byTrace.set(span.traceId, [...(byTrace.get(span.traceId) ?? []), span]);
    return true;
  };
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => void server.close(() => resolve())) };
}
