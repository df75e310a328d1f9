import { AsyncLocalStorage } from "node:async_hooks";
import { monotonicMs } from "./monotonic-ms.ts";
import { formatTraceparent, newContext, parseTraceparent, type TraceContext } from "./trace-context.ts";

/** What a span is of: a request or call that came in, one that goes out, a message that is sent or received. */
export type SpanKind = "server" | "client" | "producer" | "consumer" | "internal";

/** Callers must leave out whatever is personal or secret: keys, tokens, uids, geometries, texts of errors. */
export type Attributes = Readonly<Record<string, string | number>>;

/** What makes the monotonic clock one of milliseconds since 1970. */
const ORIGIN_MS = Date.now() - monotonicMs();

/** A finished piece of work. Times are milliseconds since 1970. `isEntry`: the first span of this process in its trace. */
export interface Span extends TraceContext {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parentSpanId: string | undefined;
  readonly isEntry: boolean;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  readonly hasFailed: boolean;
}

interface SpanOptions {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes?: Attributes;
}

/** What the work of a span may add to it. */
export interface OpenSpan {
  readonly set: (attributes: Attributes) => void;
  readonly fail: () => void;
}

interface Active {
  readonly project: string;
  readonly context: TraceContext;
}

const active = new AsyncLocalStorage<Active>();
let receive: ((span: Span) => void) | undefined;

/** Sends every span that ends from now on to a receiver, or to none. The receiver must neither throw nor take long. */
export function sendSpansTo(receiver: ((span: Span) => void) | undefined): void {
  receive = receiver;
}

/**
 * Runs the work that a process was called for as a span: below the caller's, or in a new trace. Log lines, queries and messages of the work
 * carry the trace.
 * @param project the project of the traces, for log lines
 */
export function entrySpan<T>(
  project: string,
  parent: TraceContext | undefined,
  options: SpanOptions,
  run: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  return measured({ project, context: newContext(parent) }, { parent, isEntry: true }, options, run);
}

/** Runs work as a span below the current one. Without a current one it just runs. */
export function childSpan<T>(options: SpanOptions, run: () => Promise<T>): Promise<T> {
  const parent = active.getStore();
  if (!parent) return run();
  const own = { project: parent.project, context: newContext(parent.context) };
  return measured(own, { parent: parent.context, isEntry: false }, options, run);
}

async function measured<T>(
  own: Active,
  { parent, isEntry }: { readonly parent: TraceContext | undefined; readonly isEntry: boolean },
  { name, kind, attributes = {} }: SpanOptions,
  run: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  const startedAt = ORIGIN_MS + monotonicMs();
  let all = attributes;
  let hasFailed = false;
  const span: OpenSpan = {
    set: (more) => {
      all = { ...all, ...more };
    },
    fail: () => {
      hasFailed = true;
    },
  };
  try {
    return await active.run(own, () => run(span));
  } catch (error) {
    span.set({ "error.type": error instanceof Error ? error.name : typeof error });
    span.fail();
    throw error;
  } finally {
    const endedAt = ORIGIN_MS + monotonicMs();
    receive?.({ ...own.context, name, kind, parentSpanId: parent?.spanId, isEntry, startedAt, endedAt, attributes: all, hasFailed });
  }
}

/** Runs work of another trace, such as the delivery of a waiting job: below the span that its `traceparent` names, unless it is the current trace. */
export function inTrace<T>(traceparent: string | undefined, run: () => T): T {
  const current = active.getStore();
  const other = parseTraceparent(traceparent);
  if (!current || !other || other.traceId === current.context.traceId) return run();
  return active.run({ project: current.project, context: other }, run);
}

/** Returns the `traceparent` of the current span. Undefined outside of any. */
function currentTraceparent(): string | undefined {
  const current = active.getStore();
  return current && formatTraceparent(current.context);
}

/** Returns the attributes that carry the trace in a message or a stored job. None outside of any span. */
export function traceAttributes(): Readonly<Record<string, string>> {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? {} : { traceparent };
}

/** Returns the label of a query that names its trace. None outside of any span. */
export function traceLabel(): Readonly<Record<string, string>> {
  const current = active.getStore();
  return current ? { trace: current.context.traceId } : {};
}

/** Returns the members of a log line that Cloud Logging shows it with its trace by. None outside of any span. */
export function traceFields(): Readonly<Record<string, string>> {
  const current = active.getStore();
  if (!current) return {};
  const { project, context } = current;
  return {
    "logging.googleapis.com/trace": `projects/${project}/traces/${context.traceId}`,
    "logging.googleapis.com/spanId": context.spanId,
  };
}
