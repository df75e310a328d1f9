import { createServer, request } from "node:http";
import { type LocalServer, listenOnLoopback } from "../../local/server.ts";
import { targetOf } from "./address.ts";

/**
 * Starts a proxy of an HTTP/1 service (`host:port`) that holds back answers until every call that it has passed on is answered: then a client gets all
 * of them at once, as from a service with many machines. A local one works on them one after another, so that its client never holds many.
 */
export async function startAnswersTogether(target: string): Promise<LocalServer> {
  let open = 0;
  let held: (() => void)[] = [];
  const server = createServer((incoming, outgoing) => {
    open += 1;
    const answered = (pass: () => void): void => {
      open -= 1;
      held.push(pass);
      if (open > 0) return;
      const together = held;
      held = [];
      for (const each of together) each();
    };
    const options = { ...targetOf(target), method: incoming.method, path: incoming.url, headers: incoming.headers };
    const call = request(options, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      answered(() => outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(chunks)));
    });
    call.once("error", () => answered(() => outgoing.destroy()));
    incoming.pipe(call);
  });
  return listenOnLoopback(server);
}
