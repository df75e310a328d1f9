import { once } from "node:events";
import { connect } from "node:net";

/** A request as its own bytes, which no client changes or refuses to send. */
interface RawRequest {
  /** `host:port`. */
  readonly address: string;
  readonly method: string;
  readonly target: string;
  /** Default: the address. */
  readonly host?: string;
  readonly headers?: readonly string[];
}

/** Sends a request on a connection of its own. Returns the status and the text of the answer; status 0 if there is none. */
export async function sendRaw({ address, method, target, host = address, headers = [] }: RawRequest) {
  const { hostname, port } = new URL(`http://${address}`);
  const socket = connect({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const lines = [`${method} ${target} HTTP/1.1`, `Host: ${host}`, "Connection: close", "Content-Length: 0", ...headers, "", ""];
  socket.write(lines.join("\r\n"));
  await once(socket, "close");
  const answer = Buffer.concat(chunks).toString("latin1");
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0), text: answer.slice(answer.indexOf("\r\n\r\n") + 4) };
}
