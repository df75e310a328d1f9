import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { Server, status } from "@grpc/grpc-js";
import { createLocalServer } from "../http-server.ts";
import type { Identity } from "../identity.ts";
import { listenShared } from "../port-sharing.ts";
import type { LocalServer } from "../server.ts";
import { decodedPath } from "../tasks/wire/json-http.ts";
import type { CompositeIndex } from "./composite-index.ts";
import { Database } from "./database.ts";
import { assertMayClear, authoriser } from "./permissions.ts";
import { openDatabases } from "./persistence.ts";
import { documentCodec, firestoreService } from "./protos.ts";
import { asRefusal, invalid, Refusal } from "./refusal.ts";
import { type Databases, firestoreHandlers } from "./service.ts";
import { TRANSACTION_LIMITS, type TransactionLimits } from "./transactions.ts";

export interface FirestoreOptions {
  /** The port. 0 or absent: a free one. */
  readonly port?: number;
  /** Knows the functions' accounts. Without it every caller may do everything. */
  readonly identity?: Identity;
  /** The only project that is served. */
  readonly project: string;
  /** The server's clock, milliseconds since 1970. */
  readonly now?: () => number;
  /** Timeouts of transactions. Defaults to those of the real service. */
  readonly limits?: Partial<TransactionLimits>;
  /** The composite indexes. A query that needs another one is refused as in the cloud. Without this option every query is served. */
  readonly indexes?: readonly CompositeIndex[];
  /** The data folder. Documents are stored in its subfolder `firestore`. Without it they are in memory only. */
  readonly dataDirectory?: string;
}

/** The real service's maximum request size. */
const REQUEST_BYTES_MAX = 10 * 1024 * 1024;

/**
 * Starts an embedded Firestore that serves google.firestore.v1 over gRPC and, on the same port, the emulator's `DELETE
 * /emulator/v1/projects/{project}/databases/{database}/documents` over HTTP: with an identity only for operators, and for tools with the emulator's token,
 * "owner". Documents are in memory and, with a data folder, on the disk:
 * acknowledged writes survive any end of the process. Rejects with a one-line error if the folder cannot be used.
 */
export async function startFirestore(options: FirestoreOptions): Promise<LocalServer> {
  const served = new Map<string, Database>();
  const limits = { ...TRANSACTION_LIMITS, ...options.limits };
  const { dataDirectory } = options;
  const service = firestoreService();
  const persistentDatabases =
    dataDirectory === undefined ? undefined : openDatabases(join(dataDirectory, "firestore"), documentCodec(service));
  const databases: Databases = (name) => {
    checkDatabase(name, options.project);
    const database =
      served.get(name) ?? new Database(name, options.now ?? Date.now, limits, options.indexes, persistentDatabases?.database(name));
    served.set(name, database);
    return database;
  };

  const grpc = new Server({ "grpc.max_receive_message_length": REQUEST_BYTES_MAX });
  grpc.addService(service, firestoreHandlers(databases, authoriser(options.identity)));
  const http1 = createLocalServer((request, response) => answerHttp({ databases, identity: options.identity }, request, response));
  const shared = await listenShared({
    port: options.port ?? 0,
    http1,
    grpc,
    disconnected: (peer) => {
      for (const database of served.values()) database.transactions.peerGone(peer);
    },
  }).catch((error: unknown) => {
    persistentDatabases?.close();
    throw error;
  });
  return {
    address: shared.address,
    async close() {
      for (const database of served.values()) database.transactions.close();
      await shared.close();
      persistentDatabases?.close();
    },
  };
}

function checkDatabase(name: string, project: string): void {
  const match = /^projects\/([^/]+)\/databases\/([^/]+)$/.exec(name);
  if (match === null) throw invalid(`Invalid database name "${name}".`);
  if (match[1] !== project) {
    throw new Refusal(status.NOT_FOUND, `The database ${match[2]} does not exist for project ${match[1]}: this server serves ${project}.`);
  }
}

interface Served {
  readonly databases: Databases;
  readonly identity: Identity | undefined;
}

async function answerHttp(served: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.resume();
  const database = /^\/emulator\/v1\/(projects\/[^/]+\/databases\/[^/]+)\/documents$/.exec(request.url ?? "")?.[1];
  if (request.method === "GET" && request.url === "/") response.end("Ok\n");
  else if (request.method === "DELETE" && database !== undefined) await clear(served, database, request, response);
  else response.writeHead(404).end("Not Found\n");
}

async function clear({ databases, identity }: Served, encoded: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader("content-type", "application/json");
  try {
    assertMayClear(identity, request.headers.authorization);
    await databases(decodedPath(encoded)).clear();
    response.end("{\n}\n");
  } catch (error) {
    const refusal = asRefusal(error);
    if (refusal === undefined) throw error;
    const code = HTTP_CODES[refusal.code] ?? 400;
    response.writeHead(code).end(JSON.stringify({ error: { code, message: refusal.message, status: status[refusal.code] } }));
  }
}

/** Another refusal is a 400, as with Google's emulator. */
const HTTP_CODES: Readonly<Partial<Record<status, number>>> = {
  [status.UNAUTHENTICATED]: 401,
  [status.PERMISSION_DENIED]: 403,
  [status.UNAVAILABLE]: 503,
};
