import { createLocalServer, type Listener } from "../http-server.ts";
import type { Identity } from "../identity.ts";
import { type LocalServer, listenOnLoopback } from "../server.ts";
import { type AllowsOrigin, answerCors } from "./cors.ts";
import { sendFault } from "./fault-response.ts";
import { finalizedMessage, LANDING_PREFIX, type NotificationMessage } from "./notification.ts";
import { ObjectStore } from "./object-store.ts";
import { isXmlPath, parseRequest } from "./operation.ts";
import { authenticate, authorise, mayReplace } from "./permissions.ts";
import { type Exchange, serveOperation } from "./service.ts";
import { isSignedUrl } from "./signed-query.ts";
import { authenticateSignedUrl } from "./signed-url.ts";
import { UploadSessions } from "./upload-sessions.ts";

const KEEP_ALIVE_MS = 65_000;

export interface StorageOptions {
  /** 0 or absent: a free port. */
  readonly port?: number;
  /** Used by this process alone while it runs. Keeps the objects between runs. */
  readonly directory: string;
  /** Created if missing. The first is the export bucket, the only one in which customers see their folder. */
  readonly buckets: readonly string[];
  readonly identity: Identity;
  /** The bucket of deliveries, one of `buckets`, and who is notified of its objects. Default: none. */
  readonly landing?: { readonly bucket: string; readonly notify: (message: NotificationMessage) => void };
  /** Pages that may read from the buckets. Default: none. */
  readonly allowsOrigin?: AllowsOrigin;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Serves Cloud Storage from the disk: the JSON API (with and without `/storage/v1`, `/download`, `/upload`), and of the XML API reads of
 * `/{bucket}/{object}` and lists of `/{bucket}`, also with V4 signed URLs. Rejects if the port is taken or a bucket's name is not allowed.
 */
export async function startStorage(options: StorageOptions): Promise<LocalServer & { store: ObjectStore }> {
  const { identity, landing, allowsOrigin = () => false, now = Date.now } = options;
  const buckets = { exports: options.buckets[0], landing: landing?.bucket };
  const store = await ObjectStore.open(options.directory, now, (object, previous) => {
    if (object.bucket === landing?.bucket && object.name.startsWith(LANDING_PREFIX))
      landing.notify(finalizedMessage(object, `http://${address}`, previous));
  });
  for (const bucket of options.buckets) await store.createBucket(bucket);
  const sessions = new UploadSessions(now);

  async function answer(exchange: Pick<Exchange, "request" | "response">): Promise<void> {
    if (answerCors(exchange.request, exchange.response, allowsOrigin)) return;
    const { method = "", url = "", headers } = exchange.request;
    const { operation, query } = parseRequest(method, url);
    let replaces = true;
    // The id of an upload session is its own credential, as with Google's session URIs.
    if (operation.kind !== "continueUpload") {
      const isSigned = isXmlPath(url) && isSignedUrl(query);
      const principal = isSigned
        ? await authenticateSignedUrl(identity, { method, target: url, headers, query }, now())
        : authenticate(identity, headers.authorization, operation);
      authorise(principal, operation, query, buckets);
      replaces = mayReplace(principal, operation, buckets);
    }
    await serveOperation(
      { ...exchange, store, sessions, query, replaces, origin: `http://${headers.host ?? address}`, now: now() },
      operation,
    );
  }

  const running = new Set<Promise<void>>();
  // A large upload may take any time, and pooled connections live as long as with Google's servers.
  const listener: Listener = (request, response) => {
    const answered = answer({ request, response }).catch((error: unknown) => sendFault(response, error, faultFormat(request.url ?? "")));
    running.add(answered);
    return answered.finally(() => running.delete(answered));
  };
  const server = createLocalServer(listener, { requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS });
  const { address, close } = await listenOnLoopback(server, options.port);

  return {
    address,
    store,
    async close() {
      await close();
      await Promise.all(running);
      await sessions.removeAll();
    },
  };
}

function faultFormat(target: string): "json" | "text" | "xml" {
  if (isXmlPath(target)) return "xml";
  return /^\/download\/|[?&]alt=media(&|$)/.test(target) ? "text" : "json";
}
