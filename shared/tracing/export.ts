import { monotonicMs } from "./monotonic-ms.ts";
import { otlpBody } from "./otlp.ts";
import { type Attributes, type Span, sendSpansTo } from "./span.ts";

/** How many spans wait at most; further ones are dropped and counted. A request has about five. */
const WAITING_MAX = 2000;
/** How many spans one request to the collector has at most. */
const BATCH_MAX = 500;
/** How long the collector may take. */
const SEND_MS_MAX = 5000;
/** A collector that does not answer is told of at most this often. */
const WARN_EVERY_MS = 60_000;

export interface ExportOptions {
  /** The base URL of an OTLP/HTTP collector, without `/v1/traces`. */
  readonly endpoint: string;
  /** The share of traces to export, from 0 to 1. */
  readonly share: number;
  /** Attributes of the process. */
  readonly resource: Attributes;
  readonly warn: (message: string, fields: { readonly spans: number; readonly fault: string }) => void;
}

export interface SpanExporter {
  readonly add: (span: Span) => void;
  /** Sends what waits. Never throws. Resolves when it is sent or dropped, within 5 s for each 500 spans. */
  readonly flush: () => Promise<void>;
}

/**
 * Which traces are exported. It depends on the trace's id alone, so all processes decide alike, and a trace is whole or absent. Collectors decide by
 * the same part of the id and in the same direction, so that one which keeps a part of what it gets has a part of these traces, not others.
 * Source: https://opentelemetry.io/docs/specs/otel/trace/tracestate-probability-sampling/
 */
export interface Sampling {
  readonly has: (traceId: string) => boolean;
  /** The `tracestate` that tells a collector which share of all traces these are. */
  readonly traceState: string;
}

/** The last 14 hexadecimal digits of a trace's id are random. */
const RANDOM_BITS = 56;

/** Returns the sampling of a share of the traces, from 0 to 1: those whose random part is not below a threshold. */
export function samplingOf(share: number): Sampling {
  const threshold = BigInt(Math.round((1 - share) * 2 ** RANDOM_BITS));
  const digits = threshold
    .toString(16)
    .padStart(RANDOM_BITS / 4, "0")
    .replace(/0+$/, "");
  return { has: (traceId) => BigInt(`0x${traceId.slice(-RANDOM_BITS / 4)}`) >= threshold, traceState: `ot=th:${digits || "0"}` };
}

/**
 * Returns an exporter that sends spans beside the requests, never in them: one batch at a time, when the work that a process was called for
 * has ended. What a collector does not take is dropped.
 */
export function createExporter({ endpoint, share, resource, warn }: ExportOptions): SpanExporter {
  const sampling = samplingOf(share);
  const waiting: Span[] = [];
  let dropped = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  let sending: Promise<void> | undefined;

  const drop = (spans: number, fault: string): void => {
    dropped += spans;
    if (monotonicMs() - warnedAt < WARN_EVERY_MS) return;
    warn("Spans were dropped", { spans: dropped, fault });
    warnedAt = monotonicMs();
    dropped = 0;
  };
  const send = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_MAX);
      try {
        const answer = await fetch(`${endpoint}/v1/traces`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: otlpBody(batch, { resource, traceState: sampling.traceState }),
          signal: AbortSignal.timeout(SEND_MS_MAX),
        });
        await answer.arrayBuffer();
        if (!answer.ok) drop(batch.length, `the collector answered ${answer.status}`);
      } catch (error) {
        drop(batch.length, error instanceof Error ? error.message : String(error));
      }
    }
  };
  const flush = (): Promise<void> => {
    sending ??= send().finally(() => {
      sending = undefined;
    });
    return sending;
  };
  return {
    add: (span) => {
      if (!sampling.has(span.traceId)) return;
      if (waiting.length >= WAITING_MAX) return drop(1, `${WAITING_MAX} spans wait`);
      waiting.push(span);
      if (span.isEntry) void flush();
    },
    flush,
  };
}

let exporter: SpanExporter | undefined;

/** Exports the spans of this process from now on. Does nothing without an endpoint, or when called again. */
export function startExport({ endpoint, ...options }: Omit<ExportOptions, "endpoint"> & { readonly endpoint: string | undefined }): void {
  if (endpoint === undefined || exporter) return;
  exporter = createExporter({ endpoint, ...options });
  sendSpansTo(exporter.add);
}

/** Sends the spans that wait, before the process ends. */
export async function flushSpans(): Promise<void> {
  await exporter?.flush();
}
