import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import type { ConsoleFile } from "../../scripts/console/build.ts";
import { consoleHeaders } from "../../scripts/console/headers.ts";
import { namesEntityTag } from "../../shared/http/negotiation.ts";
import { urlOf } from "./http-server.ts";

const FOLDER = "/console/";
const PROJECT_FOLDER = fileURLToPath(new URL("../..", import.meta.url));

/** What the console calls, for its `config.json` and its content security policy. */
interface ConsoleAddresses {
  readonly users_base_url: string;
  readonly data_base_url: string;
  readonly storage_url: string;
  readonly export_bucket: string;
  readonly tick_seconds: number;
  readonly base_map?: BaseMap;
}

/** The base map of an operator, as Terraform's variable `base_map` has it. */
interface BaseMap {
  readonly kind: "pmtiles" | "style";
  readonly url: string;
}

/** The member of `config.json` for the base map at an address; none without an address. */
export function baseMapAt(url: string | undefined): { readonly base_map?: BaseMap } {
  if (url === undefined) return {};
  return { base_map: { kind: new URL(url).pathname.endsWith(".pmtiles") ? "pmtiles" : "style", url } };
}

/** Whether a path of the Users API's address belongs to the console. */
export function isConsolePath(path: string): boolean {
  return path === FOLDER.slice(0, -1) || path.startsWith(FOLDER);
}

/**
 * Returns a listener that serves the web console, as the bucket behind the load balancer does in the cloud. It is built at the first
 * request, so that a start does not wait for it.
 */
export function consoleServer(addresses: ConsoleAddresses): (request: IncomingMessage, response: ServerResponse) => void {
  const { base_map: baseMap } = addresses;
  const headers = consoleHeaders([
    addresses.users_base_url,
    addresses.data_base_url,
    addresses.storage_url,
    ...(baseMap === undefined ? [] : [new URL(baseMap.url).origin]),
  ]);
  let files: Promise<ReadonlyMap<string, ConsoleFile>> | undefined;
  return (request, response) => {
    files ??= readFiles(addresses);
    files
      .then((found) => answer(found, headers, request, response))
      .catch((error: unknown) => {
        files = undefined;
        console.error(error);
        response.writeHead(500, { ...headers, "content-type": "text/plain" }).end("The console could not be built: see functions.log\n");
      });
  };
}

async function readFiles(addresses: ConsoleAddresses): Promise<ReadonlyMap<string, ConsoleFile>> {
  const { buildConsole, REVALIDATED } = await import("../../scripts/console/build.ts");
  const config: ConsoleFile = {
    name: "config.json",
    type: "application/json",
    cacheControl: REVALIDATED,
    bytes: Buffer.from(JSON.stringify(addresses)),
  };
  return new Map([...(await buildConsole(PROJECT_FOLDER)).files, config].map((file) => [file.name, file]));
}

function answer(
  files: ReadonlyMap<string, ConsoleFile>,
  headers: Readonly<Record<string, string>>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { method, headers: asked } = request;
  const { pathname, search } = urlOf(request);
  if (method !== "GET" && method !== "HEAD") return void response.writeHead(405, { ...headers, allow: "GET, HEAD" }).end();
  if (!pathname.startsWith(FOLDER)) return void response.writeHead(308, { ...headers, location: `${FOLDER}${search}` }).end();
  const file = files.get(pathname.slice(FOLDER.length) || "index.html");
  if (!file) return void response.writeHead(404, { ...headers, "content-type": "text/plain" }).end("The console has no such file\n");
  const etag = `"${createHash("sha256").update(file.bytes).digest("hex").slice(0, 32)}"`;
  const own = { ...headers, etag, "cache-control": file.cacheControl };
  if (namesEntityTag(asked["if-none-match"], etag)) return void response.writeHead(304, own).end();
  response.writeHead(200, { ...own, "content-type": file.type, "content-length": file.bytes.length });
  response.end(method === "HEAD" ? undefined : file.bytes);
}
