import type { Attributes, Span, SpanKind } from "./span.ts";

/** Source: https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto */
const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 };
const STATUS_ERROR = 2;

/** What all spans of a process have: its attributes, and the `tracestate` with which they are exported. */
interface Shared {
  readonly resource: Attributes;
  readonly traceState: string;
}

/**
 * Returns spans as the body of an OTLP request over HTTP with JSON: ids in hexadecimal, times as texts of nanoseconds.
 * Source: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function otlpBody(spans: readonly Span[], { resource, traceState }: Shared): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: keyValues(resource) },
        scopeSpans: [{ scope: { name: "populus" }, spans: spans.map((span) => ({ ...otlpSpan(span), traceState })) }],
      },
    ],
  });
}

function otlpSpan({ traceId, spanId, parentSpanId, name, kind, startedAt, endedAt, attributes, hasFailed }: Span): object {
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: keyValues(attributes),
    status: hasFailed ? { code: STATUS_ERROR } : {},
  };
}

function keyValues(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === "string" ? { stringValue: value } : Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value },
  }));
}

/** Nanoseconds since 1970 exceed what a number holds exactly. */
function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n);
}
