import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listenOnLoopback } from "../../../infra/testing/faults/address.ts";
import { underTest } from "./service-under-test.ts";

/** Creates a state folder of the service under test whose warehouse rejects the deletion of datasets. */
export async function withoutDatasetDeletes(): Promise<{ readonly directory: string; readonly close: () => void }> {
  const { ready, stateDirectory } = underTest();
  const server = createServer((incoming, outgoing) => {
    if (incoming.method === "DELETE") {
      outgoing.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ error: { code: 400, message: "not now" } }));
      return;
    }
    const url = `${ready.bigquery_endpoint}${incoming.url}`;
    const call = request(url, { method: incoming.method, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(call);
  });
  const { address, close } = await listenOnLoopback(server);
  const directory = mkdtempSync(join(tmpdir(), "populus-admin-test-"));
  const own: object = JSON.parse(readFileSync(join(stateDirectory, "ready.json"), "utf8"));
  writeFileSync(join(directory, "ready.json"), JSON.stringify({ ...own, bigquery_endpoint: `http://${address}` }));
  return {
    directory,
    close: () => {
      void close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
