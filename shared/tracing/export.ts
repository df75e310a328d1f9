import { monotonicMs } from "./monotonic-ms.ts";
import { otlpBody } from "./otlp.ts";
import { samplingOf } from "./sampling.ts";
import { sendSpans } from "./send-spans.ts";
import { type Attributes, type Span, sendSpansTo } from "./span.ts";

/** How many spans wait at most, beside the batch that is being sent; further ones are dropped and counted. A request has about five. */
const WAITING_MAX = 2000;
/** How many spans one request to the collector has at most. */
const BATCH_MAX = 500;
/** How long a collector that cannot take spans gets none, unless it says how long: twice as long after each attempt, up to a minute. */
const PAUSE_MS_MIN = 1000;
const PAUSE_MS_MAX = 60_000;
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
  /** The milliseconds since an arbitrary instant. */
  readonly monotonic?: () => number;
}

export interface SpanExporter {
  /** Keeps a span. The last one of a request sends what waits; resolves when that attempt has ended. */
  readonly add: (span: Span) => Promise<void>;
  /** Sends what waits, as the process ends: what a collector cannot take now is dropped. Never throws. Resolves within 5 s for each 500 spans. */
  readonly flush: () => Promise<void>;
}

/**
 * Returns an exporter that sends spans beside the requests, never in them: one batch at a time, when the work that a process was called for
 * has ended. What a collector cannot take waits for a later request, as a process between two requests may have no processor. What it refuses is
 * dropped.
 */
export function createExporter({ endpoint, share, resource, warn, monotonic = monotonicMs }: ExportOptions): SpanExporter {
  const sampling = samplingOf(share);
  const waiting: Span[] = [];
  let dropped = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  let sending: Promise<string | undefined> | undefined;
  let waitsFor: string | undefined;
  let pauseMs = PAUSE_MS_MIN;
  let pausedUntil = Number.NEGATIVE_INFINITY;

  const drop = (spans: number, fault: string): void => {
    dropped += spans;
    if (monotonic() - warnedAt < WARN_EVERY_MS) return;
    warn("Spans were dropped", { spans: dropped, fault });
    warnedAt = monotonic();
    dropped = 0;
  };
  /** Sends what waits. Returns the fault for which the rest waits on. */
  const sendAll = async (): Promise<string | undefined> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_MAX);
      const sent = await sendSpans(endpoint, () => otlpBody(batch, { resource, traceState: sampling.traceState }), batch.length);
      if (sent.isLater) {
        waiting.unshift(...batch);
        pausedUntil = monotonic() + (sent.afterMs ?? pauseMs);
        pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX);
        return sent.fault;
      }
      pauseMs = PAUSE_MS_MIN;
      if (sent.rejected > 0) drop(sent.rejected, sent.fault);
    }
    return undefined;
  };
  const send = (): Promise<string | undefined> => {
    sending ??= sendAll().then((fault) => {
      sending = undefined;
      waitsFor = fault;
      return fault;
    });
    return sending;
  };
  return {
    add: async (span) => {
      if (!sampling.has(span.traceId)) return;
      if (waiting.length >= WAITING_MAX) return drop(1, `${WAITING_MAX} spans wait${waitsFor === undefined ? "" : `: ${waitsFor}`}`);
      waiting.push(span);
      if (span.isEntry && monotonic() >= pausedUntil) await send();
    },
    flush: async () => {
      const fault = await send();
      if (fault !== undefined) drop(waiting.splice(0).length, fault);
    },
  };
}

let exporter: SpanExporter | undefined;

/** Exports the spans of this process from now on. Does nothing without an endpoint, or when called again. */
export function startExport({ endpoint, ...options }: Omit<ExportOptions, "endpoint"> & { readonly endpoint: string | undefined }): void {
  if (endpoint === undefined || exporter) return;
  exporter = createExporter({ endpoint, ...options });
  const { add } = exporter;
  sendSpansTo((span) => void add(span));
}

/** Sends the spans that wait, before the process ends. */
export async function flushSpans(): Promise<void> {
  await exporter?.flush();
}
