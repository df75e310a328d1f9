import * as v from "valibot";

/** How long the collector may take. */
const SEND_MS_MAX = 5000;
/** The longest wait that a collector may ask for. */
const WAIT_MS_MAX = 3_600_000;
/** What a collector says of a batch is logged up to this length. */
const MESSAGE_CHARS_MAX = 200;
/** The answers after which the same batch may be sent again. Source: https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes */
const TRY_AGAIN: readonly number[] = [429, 502, 503, 504];

/**
 * What has become of a batch: `rejected` of its spans, from none to all, are lost. With `isLater` all may be sent again, after `afterMs` if the collector
 * says how long it wants none.
 */
export type Sent =
  | { readonly isLater: false; readonly rejected: number; readonly fault: string }
  | { readonly isLater: true; readonly afterMs: number | undefined; readonly fault: string };

/** A collector may take a part of a batch, and must not be sent the rest again. Source: https://opentelemetry.io/docs/specs/otlp/#partial-success-1 */
const PartialSuccess = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    partialSuccess: v.object({
      rejectedSpans: v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.integer(), v.minValue(1)),
      errorMessage: v.optional(v.string(), ""),
    }),
  }),
);

/**
 * Sends a batch of spans to an OTLP/HTTP collector. Never throws.
 * @param endpoint the collector's base URL, without `/v1/traces`
 * @param write writes the body of the request: see `otlpBody`
 * @param spans how many they are
 */
export async function sendSpans(endpoint: string, write: () => string, spans: number): Promise<Sent> {
  let body: string;
  try {
    body = write();
  } catch (error) {
    return { isLater: false, rejected: spans, fault: faultOf(error) };
  }
  try {
    const answer = await fetch(`${endpoint}/v1/traces`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: AbortSignal.timeout(SEND_MS_MAX),
    });
    const text = await answer.text();
    if (answer.ok) return taken(text, spans);
    const fault = `the collector answered ${answer.status}`;
    if (!TRY_AGAIN.includes(answer.status)) return { isLater: false, rejected: spans, fault };
    return { isLater: true, afterMs: waitOf(answer.headers.get("retry-after")), fault };
  } catch (error) {
    return { isLater: true, afterMs: undefined, fault: faultOf(error) };
  }
}

function faultOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function taken(text: string, spans: number): Sent {
  const partial = v.safeParse(PartialSuccess, text);
  if (!partial.success) return { isLater: false, rejected: 0, fault: "" };
  const { rejectedSpans, errorMessage } = partial.output.partialSuccess;
  const fault = `the collector rejected them: ${errorMessage.slice(0, MESSAGE_CHARS_MAX)}`;
  return { isLater: false, rejected: Math.min(rejectedSpans, spans), fault };
}

/** Reads a Retry-After in seconds, up to an hour; undefined for none, and for a date, which depends on two clocks. */
function waitOf(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^\d+$/.test(retryAfter) ? Math.min(1000 * Number(retryAfter), WAIT_MS_MAX) : undefined;
}
