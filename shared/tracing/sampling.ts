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
