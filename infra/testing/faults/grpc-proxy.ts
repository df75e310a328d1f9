import {
  type ClientHttp2Session,
  connect,
  constants,
  createServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import { type LocalServer, listenOnLoopback } from "../../local/server.ts";
import type { Fates } from "./fate.ts";

/** The response of an unavailable gRPC service. Source: https://github.com/grpc/grpc/blob/master/doc/statuscodes.md */
const UNAVAILABLE = { ":status": 200, "content-type": "application/grpc", "grpc-status": "14", "grpc-message": "Injected" };

/**
 * A proxy of a gRPC service (`host:port`, without TLS) that applies the drawn fates to its calls.
 * @param seen is told the path of each call
 */
export async function startGrpcProxy(
  target: string,
  fates: Pick<Fates, "next" | "delayMs">,
  seen: (path: string) => void = () => undefined,
): Promise<LocalServer> {
  const upstreams = new WeakMap<Http2Session, ClientHttp2Session>();
  const server = createServer();
  server.on("session", (session) => {
    const upstream = connect(`http://${target}`);
    upstreams.set(session, upstream);
    // Its calls report an error.
    upstream.on("error", () => undefined);
    upstream.once("close", () => session.destroy());
    // A server releases the resources of a closed connection.
    session.once("close", () => upstream.destroy());
    session.on("error", () => undefined);
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    const upstream = stream.session && upstreams.get(stream.session);
    if (!upstream) return stream.close(constants.NGHTTP2_REFUSED_STREAM);
    seen(headers[":path"] ?? "");
    const fate = fates.next();
    if (fate === "reset") stream.session?.destroy();
    else if (fate === "unavailable") {
      stream.resume();
      stream.respond(UNAVAILABLE, { endStream: true });
    } else if (fate === "slow") setTimeout(() => forward(upstream, stream, headers), fates.delayMs());
    else if (fate === "passed") forward(upstream, stream, headers);
    else carryOut(upstream, stream, headers, () => end(stream, fate === "reset after its effect"));
  });
  return listenOnLoopback(server);
}

function forward(upstream: ClientHttp2Session, stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
  if (stream.destroyed || upstream.destroyed) return;
  const call = upstream.request(headers);
  let trailers: IncomingHttpHeaders = {};
  stream.pipe(call);
  call.once("response", (answer, flags) => {
    if (stream.destroyed) return;
    // Pseudo-headers and ordinary ones alike. A response of headers only ends with them.
    if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) {
      stream.respond(answer, { endStream: true });
      return;
    }
    stream.once("wantTrailers", () => stream.sendTrailers(trailers));
    stream.respond(answer, { waitForTrailers: true });
    // The trailers may come after the last of the content. Both are complete only when the call has ended.
    call.pipe(stream, { end: false });
    call.once("close", () => stream.end());
  });
  call.once("trailers", (last) => {
    trailers = last;
  });
  call.once("error", () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
  stream.once("close", () => {
    if (!call.closed) call.close(constants.NGHTTP2_CANCEL);
  });
}

/** Forwards a call, waits for its whole response and drops it. */
function carryOut(upstream: ClientHttp2Session, stream: ServerHttp2Stream, headers: IncomingHttpHeaders, done: () => void): void {
  if (upstream.destroyed) return;
  const call = upstream.request(headers);
  stream.pipe(call);
  call.resume();
  call.once("error", () => undefined);
  call.once("close", done);
}

function end(stream: ServerHttp2Stream, byReset: boolean): void {
  if (stream.destroyed) return;
  if (byReset) stream.session?.destroy();
  else stream.respond(UNAVAILABLE, { endStream: true });
}
