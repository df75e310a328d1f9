import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import http, { type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Storage } from "@google-cloud/storage";
import { OAuth2Client } from "google-auth-library";
import { Identity, SCOPES } from "../../local/identity.ts";
import type { LocalServer } from "../../local/server.ts";
import type { ObjectStore } from "../../local/storage/object-store.ts";
import { type StorageOptions, startStorage } from "../../local/storage/server.ts";

export const BUCKET = "exports";
export const OTHER_BUCKET = "imports";
/** Two customers; the uid of one starts with that of the other. */
export const UID = "acmemobi";
export const LONGER_UID = "acmemobi1";

export interface StorageUnderTest extends LocalServer {
  readonly store: ObjectStore;
  readonly origin: string;
  readonly directory: string;
  readonly identity: Identity;
  readonly tokens: { readonly service: string; readonly reader: string; readonly warehouse: string };
  /** The real client with the service's token. */
  readonly client: Storage;
  /** The clock of the tokens, the signatures and the store, in milliseconds since 1970. */
  now(): number;
  advance(milliseconds: number): void;
}

interface Under extends Pick<StorageOptions, "allowsOrigin"> {
  /** Where the clock stands, in milliseconds since 1970. */
  readonly start?: number;
}

/** Starts a local Cloud Storage on an empty directory, with the tokens of the service and of one customer. */
export async function startStorageUnderTest({ start = Date.UTC(2026, 0, 15, 12), ...options }: Under = {}): Promise<StorageUnderTest> {
  const directory = await mkdtemp(join(tmpdir(), "populus-storage-"));
  let time = start;
  const now = () => time;
  const identity = new Identity(now);
  const server = await startStorage({ directory, buckets: [BUCKET, OTHER_BUCKET], identity, now, ...options });
  const origin = `http://${server.address}`;
  const token = (name: string, scope: string) => mintToken(identity, name, [scope]);
  const tokens = {
    service: token("functions", SCOPES.cloudPlatform),
    reader: token(`storage-${UID}`, SCOPES.storageRead),
    warehouse: token(`warehouse-${UID}`, SCOPES.bigquery),
  };
  return {
    ...server,
    origin,
    directory,
    identity,
    tokens,
    client: clientFor(origin, tokens.service),
    now,
    advance: (milliseconds) => {
      time += milliseconds;
    },
    async close() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Mints a one-hour token for a service account of the demo project, which is created if missing. */
export function mintToken(identity: Identity, name: string, scopes: readonly string[]): string {
  const email = `${name}@demo-local.iam.gserviceaccount.com`;
  identity.addAccount(email);
  return identity.mint(email, scopes, 3600).accessToken;
}

/** Returns the real client for a local address, configured as in the functions, but with a given token. */
export function clientFor(origin: string, token: string): Storage {
  const authClient = new OAuth2Client();
  authClient.setCredentials({ access_token: token });
  return new Storage({
    projectId: "demo-local",
    apiEndpoint: origin,
    useAuthWithCustomEndpoint: true,
    authClient,
    retryOptions: { autoRetry: false },
  });
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request with an unchanged target. `fetch` would resolve dots first. */
export async function requestRaw(origin: string, target: string, token: string, method = "GET"): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const request = http.request({ hostname, port, path: target, method, headers: { authorization: `Bearer ${token}` }, agent: false });
  request.end();
  const [response]: [http.IncomingMessage] = await once(request, "response").then(([message]) => [message]);
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}
