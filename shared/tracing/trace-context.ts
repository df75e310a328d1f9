import { randomBytes } from "node:crypto";

const POOL_BYTES = 4096;

/** A place in a trace: the trace's id (32 hexadecimal digits) and that of one of its spans (16). */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
}

/** Returns the place that a W3C `traceparent` names. Undefined if it is malformed, or an id is all zeros. Source: https://www.w3.org/TR/trace-context/ */
export function parseTraceparent(text: string | undefined): TraceContext | undefined {
  // Only versions to come may have more after the flags.
  const [, traceId, spanId] =
    /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/.exec(text ?? "") ?? [];
  return traceId && spanId ? { traceId, spanId } : undefined;
}

/**
 * Returns the place that Google's `x-cloud-trace-context` names, whose span is a decimal number. Undefined if it is malformed or has no span.
 * Source: https://cloud.google.com/trace/docs/trace-context#legacy-http-header
 */
export function parseCloudTrace(text: string | undefined): TraceContext | undefined {
  const [, traceId, span] = /^([0-9a-f]{32})\/(\d{1,20})(?:;|$)/.exec(text ?? "") ?? [];
  if (!traceId || !span || BigInt(span) >= 2n ** 64n) return undefined;
  return parseTraceparent(`00-${traceId}-${BigInt(span).toString(16).padStart(16, "0")}-01`);
}

/** Returns the W3C `traceparent` of a place. It says that the trace is sampled: each process decides by the trace's id, and all alike. */
export function formatTraceparent({ traceId, spanId }: TraceContext): string {
  return `00-${traceId}-${spanId}-01`;
}

/** Returns a new place below a parent, or in a new trace. */
export function newContext(parent: TraceContext | undefined): TraceContext {
  return { traceId: parent?.traceId ?? randomId(16), spanId: randomId(8) };
}

/** Random bytes in store: a call of the generator costs more than what it returns here. */
let pool = Buffer.alloc(0);

function randomId(bytes: number): string {
  if (pool.length < bytes) pool = randomBytes(POOL_BYTES);
  const id = pool.toString("hex", 0, bytes);
  pool = pool.subarray(bytes);
  return /^0+$/.test(id) ? randomId(bytes) : id;
}
