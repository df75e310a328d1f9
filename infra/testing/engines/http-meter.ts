import { createServer, request } from "node:http";
import { type LocalServer, listenOnLoopback } from "../../local/server.ts";
import { targetOf } from "../faults/address.ts";

/** A call that was answered, with the bytes of its body both ways. */
export interface HttpCall {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly sentBytes: number;
  readonly answeredBytes: number;
  /** The text of the answer; empty for GET. */
  readonly answer: string;
}

/** Starts a proxy of an HTTP/1 service (`host:port`). Bodies stream through it. `note` is told each call before its answer ends. */
export async function startHttpMeter(target: string, note: (call: HttpCall) => void): Promise<LocalServer> {
  const server = createServer((incoming, outgoing) => {
    const { method = "", url: path = "" } = incoming;
    let sentBytes = 0;
    let answeredBytes = 0;
    const kept: Buffer[] = [];
    const call = request({ ...targetOf(target), method, path, headers: incoming.headers }, (answer) => {
      const status = answer.statusCode ?? 502;
      outgoing.writeHead(status, answer.headers);
      answer.on("data", (chunk: Buffer) => {
        answeredBytes += chunk.length;
        if (method !== "GET") kept.push(chunk);
        if (!outgoing.write(chunk)) {
          answer.pause();
          outgoing.once("drain", () => answer.resume());
        }
      });
      answer.once("end", () => {
        note({ method, path, status, sentBytes, answeredBytes, answer: Buffer.concat(kept).toString() });
        outgoing.end();
      });
      answer.once("error", () => outgoing.destroy());
    });
    call.once("error", () => incoming.socket.destroy());
    outgoing.once("close", () => call.destroy());
    incoming.on("data", (chunk: Buffer) => {
      sentBytes += chunk.length;
    });
    incoming.pipe(call);
  });
  return listenOnLoopback(server);
}
