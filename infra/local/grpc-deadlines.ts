import { channel } from "node:diagnostics_channel";
import type { IncomingHttpHeaders } from "node:http2";
import * as v from "valibot";

/** The longest timer of Node in whole seconds, 24 days, as a gRPC timeout. */
const LONGEST = "2147483S";
const MILLISECONDS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 0.001, n: 0.000001 };

const StreamCreated = v.object({
  headers: v.custom<IncomingHttpHeaders>((value) => typeof value === "object" && value !== null),
});

/**
 * Shortens longer deadlines of gRPC calls to Node's longest timer. `@grpc/grpc-js` would end such a call at once: its server counts milliseconds in 32
 * bits, which overflow. Google's publisher for Python sends one with an ordering key. An interceptor comes too late: the header is read before.
 */
export function shortenLongDeadlines(): void {
  const created = channel("http2.server.stream.created");
  // All servers of a process share the channel.
  created.unsubscribe(shorten);
  created.subscribe(shorten);
}

function shorten(message: unknown): void {
  // What a subscriber throws ends the process.
  const created = v.safeParse(StreamCreated, message);
  if (!created.success) return;
  const { headers } = created.output;
  const [, count, unit = ""] = /^(\d{1,8})([HMSmun])$/.exec(String(headers["grpc-timeout"])) ?? [];
  if (count !== undefined && Number(count) * (MILLISECONDS[unit] ?? 0) >= 2 ** 31) headers["grpc-timeout"] = LONGEST;
}
