import { createServer } from "node:http";
import { DuckDBInstance } from "@duckdb/node-api";
import { listenOnLoopback } from "../../../local/server.ts";

/** Serves a table by its names, with the mistake that sqlmap looks for: the parameter `q` becomes a part of the statement. */
export async function serveInjectable(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  await connection.run("CREATE TABLE areas AS SELECT unnest(['Kesklinn', 'Lasnamäe', 'Nõmme']) AS name");
  const server = createServer(async ({ url = "" }, response) => {
    const q = new URL(url, "http://localhost").searchParams.get("q") ?? "";
    try {
      const rows = await connection.runAndReadAll(`SELECT name FROM areas WHERE name = '${q}'`);
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(rows.getRowsJson()));
    } catch {
      response.writeHead(400, { "content-type": "application/json" }).end("[]");
    }
  });
  const { address, close } = await listenOnLoopback(server);
  return {
    url: `http://${address}/areas?q=Kesklinn`,
    close: async () => {
      await close();
      connection.closeSync();
      instance.closeSync();
    },
  };
}
