import { Agent, request as open } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { WireRequest } from "../fuzz/wire.ts";
import type { Chance } from "../reference/chance.ts";

/** How a client holds its body back: all of it, its last piece, or only its end. */
const MANNERS = ["the whole body", "its last pieces", "its end"] as const;

const BODY = '{"held":true}';
/** Connections are used again, as by a client that keeps some open to park requests. */
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** A request whose headers are sent, and whose body is not whole yet. */
export interface ParkedRequest {
  readonly request: WireRequest;
  readonly manner: (typeof MANNERS)[number];
  /** Sends the rest, piece by piece. Returns the status of the response; 0 if the connection ended without one. */
  readonly release: () => Promise<number>;
}

/** Sends the headers of a request, and as much of a chunked body as its manner says. Its own body is ignored. */
export function parkRequest(request: WireRequest, chance: Chance): ParkedRequest {
  const manner = chance.pick(MANNERS);
  const pieces = piecesOf(BODY, chance);
  const early = manner === "the whole body" ? 0 : manner === "its end" ? pieces.length : chance.whole(1, pieces.length - 1);
  const { hostname, port, host } = new URL(request.base);
  const headers = ["Host", host, "Content-Type", "application/json", "Transfer-Encoding", "chunked", ...request.headers.flat()];
  const asked = open({ agent, hostname, port, method: request.method, path: request.target, headers });
  const answered = new Promise<number>((resolve) => {
    asked.on("error", () => resolve(0));
    asked.on("response", (response) => {
      response.on("error", () => resolve(0)).on("end", () => resolve(response.statusCode ?? 0));
      response.resume();
    });
  });
  asked.flushHeaders();
  for (const piece of pieces.slice(0, early)) asked.write(piece);
  const release = async (): Promise<number> => {
    for (const piece of pieces.slice(early)) {
      asked.write(piece);
      await setImmediate();
    }
    asked.end();
    return answered;
  };
  return { request, manner, release };
}

/** Cuts a text into two to five pieces. */
function piecesOf(text: string, chance: Chance): string[] {
  const cuts = new Set(Array.from({ length: chance.whole(1, 4) }, () => chance.whole(1, text.length - 1)));
  const bounds = [0, ...[...cuts].sort((a, b) => a - b), text.length];
  return bounds.slice(1).map((end, index) => text.slice(bounds[index], end));
}
