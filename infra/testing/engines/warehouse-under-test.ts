import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BigQuery } from "@google-cloud/bigquery";
import { OAuth2Client } from "google-auth-library";
import { type BigQueryServer, startBigQuery } from "../../local/bigquery/server.ts";
import type { Holding } from "../../local/bigquery/warehouse/held-tables.ts";
import { Identity, SCOPES } from "../../local/identity.ts";
import { ObjectStore } from "../../local/storage/object-store.ts";

export const PROJECT = "demo-local";
export const LOCATION = "europe-north1";
export const BUCKET = "exports";
/** Two customers; the uid of one starts with that of the other. */
export const UID = "acmemobi";
export const LONGER_UID = "acmemobi1";

export interface WarehouseUnderTest extends BigQueryServer {
  readonly origin: string;
  readonly identity: Identity;
  readonly store: ObjectStore;
  /** The real client with the operator's token, which may do everything. */
  readonly client: BigQuery;
  /** The real client with a token of another account, for example `functions` or `warehouse-acmemobi`. */
  clientOf(account: string, scope?: string): BigQuery;
  tokenOf(account: string, scope?: string): string;
  /** Advances the clock of the tokens and the warehouse. */
  advance(milliseconds: number): void;
}

export interface Setup {
  /** A GoogleSQL script that runs first. */
  readonly ddl?: string;
  /** The directory that persists everything, so that another warehouse can start on it. */
  readonly dataDirectory?: string;
  /** The tables that others wait for. */
  readonly holding?: Holding;
  /** The clock's initial time, milliseconds since 1970. */
  readonly startAt?: number;
}

/** Starts a local BigQuery in memory, with a bucket for exports. */
export async function startWarehouseUnderTest({
  ddl,
  dataDirectory,
  holding,
  startAt = Date.UTC(2026, 0, 15, 12),
}: Setup = {}): Promise<WarehouseUnderTest> {
  const directory = await mkdtemp(join(tmpdir(), "populus-bigquery-"));
  let time = startAt;
  const now = () => time;
  const identity = new Identity(now);
  const store = await ObjectStore.open(join(dataDirectory ?? directory, "storage"), now);
  await store.createBucket(BUCKET);
  const kept = dataDirectory === undefined ? {} : { dataDirectory: join(dataDirectory, "bigquery") };
  const server = await startBigQuery({
    project: PROJECT,
    identity,
    storage: store,
    now,
    tempDir: join(directory, "temp"),
    ...kept,
    ...(holding && { holding }),
  });
  if (ddl !== undefined) await server.applyDdl(ddl);
  const origin = `http://${server.address}`;
  const tokenOf = (account: string, scope: string = SCOPES.bigquery) => {
    const email = `${account}@${PROJECT}.iam.gserviceaccount.com`;
    identity.addAccount(email);
    return identity.mint(email, [scope], 3600).accessToken;
  };
  const clientOf = (account: string, scope?: string) => {
    const authClient = new OAuth2Client();
    authClient.setCredentials({ access_token: tokenOf(account, scope), expiry_date: Date.now() + 3_600_000 });
    return new BigQuery({ projectId: PROJECT, location: LOCATION, apiEndpoint: origin, authClient });
  };
  return {
    ...server,
    origin,
    identity,
    store,
    client: clientOf("operator", SCOPES.cloudPlatform),
    clientOf,
    tokenOf,
    advance: (milliseconds) => {
      time += milliseconds;
    },
    async close() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
