import type { IncomingMessage } from "node:http";
import { status } from "@grpc/grpc-js";
import { roleOf } from "../access.ts";
import { createLocalServer, urlOf } from "../http-server.ts";
import { bearerToken } from "../iam/bearer-token.ts";
import { type Identity, SCOPES } from "../identity.ts";
import { type LocalServer, listenOnLoopback } from "../server.ts";
import { answerJson, answerRefusal, decodedPath, readFields } from "../tasks/wire/json-http.ts";
import { RpcError } from "../tasks/wire/rpc-error.ts";
import type { AdminMethods } from "./methods.ts";

export interface FirestoreAdminOptions {
  /** The port. 0 or absent: a free one. */
  readonly port?: number;
  readonly identity: Identity;
  readonly project: string;
  /** The address of the engine, the embedded one or Google's emulator. */
  readonly firestore: string;
  /** The ids of the databases that exist from the start. */
  readonly databases: readonly string[];
  readonly now?: () => Date;
}

type Handler = (methods: AdminMethods, ids: readonly string[], body: unknown) => object | Promise<object>;

/** Source: the google.api.http options in firestore_admin.proto; the last one is the local server's own. */
const ROUTES: readonly (readonly [method: string, path: RegExp, handle: Handler])[] = [
  ["GET", /^\/v1\/projects\/([^/]+)\/databases$/, (methods) => methods.listDatabases()],
  ["POST", /^\/v1\/projects\/([^/]+)\/databases:clone$/, (methods, _, body) => methods.cloneDatabase(body)],
  ["POST", /^\/v1\/projects\/([^/]+)\/databases:restore$/, (methods, _, body) => methods.restoreDatabase(body)],
  ["GET", /^\/v1\/projects\/([^/]+)\/databases\/([^/]+)$/, (methods, [id = ""]) => methods.getDatabase(id)],
  ["DELETE", /^\/v1\/projects\/([^/]+)\/databases\/([^/]+)$/, (methods, [id = ""]) => methods.deleteDatabase(id)],
  ["GET", /^\/v1\/projects\/([^/]+)\/locations\/([^/]+)\/backups$/, (methods, [location = ""]) => methods.listBackups(location)],
  ["POST", /^\/emulator\/v1\/projects\/([^/]+)\/databases\/([^/]+)\/backups$/, (methods, [id = ""]) => methods.takeBackup(id)],
];
const OPERATION = /^\/v1\/(projects\/[^/]+\/databases\/[^/]+\/operations\/[^/]+)$/;

/**
 * Serves the part of the Firestore Admin API in `methods.ts` over REST. The caller needs a token of the service's own account, as operators have.
 * What speaks to the engine loads with the first request. Rejects if the port is taken.
 */
export async function startFirestoreAdmin(options: FirestoreAdminOptions): Promise<LocalServer> {
  let opening: Promise<AdminMethods> | undefined;
  const { now = () => new Date() } = options;
  const since = now();
  const server = createLocalServer(async (request, response) => {
    try {
      authorise(request.headers.authorization, options.identity);
      opening ??= open(options, now, since);
      answerJson(response, 200, await answer(await opening, request, options.project));
    } catch (error) {
      answerRefusal(response, error);
    }
  });
  const listening = await listenOnLoopback(server, options.port);
  return {
    address: listening.address,
    close: async () => {
      await listening.close();
      await (await opening)?.close();
    },
  };
}

async function open({ project, firestore, databases }: FirestoreAdminOptions, now: () => Date, since: Date): Promise<AdminMethods> {
  const [{ connectEngine }, { AdminMethods }] = await Promise.all([import("./engine.ts"), import("./methods.ts")]);
  return new AdminMethods({ project, engine: connectEngine(firestore, project), databases, now, since });
}

async function answer(methods: AdminMethods, request: IncomingMessage, project: string): Promise<object> {
  const body = await readFields(request);
  const path = decodedPath(urlOf(request).pathname);
  const operation = OPERATION.exec(path)?.[1];
  if (request.method === "GET" && operation !== undefined) return methods.getOperation(operation);
  for (const [method, pattern, handle] of ROUTES) {
    const [, named, ...ids] = (method === request.method && pattern.exec(path)) || [];
    if (named === undefined) continue;
    if (named !== project) throw new RpcError(status.PERMISSION_DENIED, `Permission denied on resource project ${named}.`);
    return handle(methods, ids, body);
  }
  throw new RpcError(status.UNIMPLEMENTED, `The local Firestore Admin does not serve ${request.method} ${path}.`);
}

function authorise(authorization: string | undefined, identity: Identity): void {
  const token = bearerToken(authorization);
  const principal = token === undefined ? undefined : identity.verify(token);
  if (principal === undefined) throw new RpcError(status.UNAUTHENTICATED, "Request had invalid authentication credentials.");
  const isOperator = ["operator", "service"].includes(roleOf(principal).kind) && principal.scopes.includes(SCOPES.cloudPlatform);
  if (!isOperator) throw new RpcError(status.PERMISSION_DENIED, "The caller does not have permission");
}
