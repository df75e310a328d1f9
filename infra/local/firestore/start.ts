import http from "node:http";
import { Server, status } from "@grpc/grpc-js";
import { listenShared } from "../port-sharing.ts";
import type { LocalServer } from "../server.ts";
import type { CompositeIndex } from "./composite-index.ts";
import { Database } from "./database.ts";
import { firestoreService } from "./protos.ts";
import { invalid, Refusal } from "./refusal.ts";
import { type Databases, firestoreHandlers } from "./service.ts";
import { TRANSACTION_LIMITS, type TransactionLimits } from "./transactions.ts";

export interface FirestoreOptions {
  /** 0 or absent: a free one. */
  readonly port?: number;
  /** The one project that is served. */
  readonly project: string;
  /** The server's clock, milliseconds since 1970. */
  readonly now?: () => number;
  /** How long transactions may idle and wait; the real service's when absent. */
  readonly limits?: Partial<TransactionLimits>;
  /** The composite indexes that there are: a query that needs another is refused as in the cloud. Every query is served when absent. */
  readonly indexes?: readonly CompositeIndex[];
}

/** The largest request that the real service takes. */
const REQUEST_BYTES_MAX = 10 * 1024 * 1024;

/**
 * Starts an embedded Firestore that speaks google.firestore.v1 over gRPC and, on the same port, the emulator's
 * `DELETE /emulator/v1/projects/{project}/databases/{database}/documents` over HTTP. It keeps everything in memory.
 */
export async function startFirestore(options: FirestoreOptions): Promise<LocalServer> {
  const served = new Map<string, Database>();
  const limits = { ...TRANSACTION_LIMITS, ...options.limits };
  const databases: Databases = (name) => {
    checkDatabase(name, options.project);
    const database = served.get(name) ?? new Database(name, options.now ?? Date.now, limits, options.indexes);
    served.set(name, database);
    return database;
  };

  const grpc = new Server({ "grpc.max_receive_message_length": REQUEST_BYTES_MAX });
  grpc.addService(firestoreService(), firestoreHandlers(databases));
  const http1 = http.createServer((request, response) => answerHttp(databases, request, response));
  const shared = await listenShared({
    port: options.port ?? 0,
    http1,
    grpc,
    disconnected: (peer) => {
      for (const database of served.values()) database.transactions.peerGone(peer);
    },
  });
  return {
    address: shared.address,
    async close() {
      for (const database of served.values()) database.transactions.close();
      await shared.close();
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

function answerHttp(databases: Databases, request: http.IncomingMessage, response: http.ServerResponse): void {
  request.resume();
  const database = /^\/emulator\/v1\/(projects\/[^/]+\/databases\/[^/]+)\/documents$/.exec(request.url ?? "")?.[1];
  if (request.method === "GET" && request.url === "/") response.end("Ok\n");
  else if (request.method === "DELETE" && database !== undefined) clear(databases, decodeURIComponent(database), response);
  else response.writeHead(404).end("Not Found\n");
}

function clear(databases: Databases, name: string, response: http.ServerResponse): void {
  response.setHeader("content-type", "application/json");
  try {
    databases(name).clear();
    response.end("{\n}\n");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    response.writeHead(400).end(JSON.stringify({ error: { code: 400, message: error.message, status: status[error.code] } }));
  }
}
