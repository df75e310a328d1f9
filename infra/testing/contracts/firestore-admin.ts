import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { startFirestoreAdmin } from "../../local/firestore-admin/server.ts";
import { Identity, SCOPES } from "../../local/identity.ts";
import type { LocalServer } from "../../local/server.ts";

const Named = v.object({ name: v.string() });
const OperationAnswer = v.object({
  name: v.string(),
  done: v.boolean(),
  metadata: v.record(v.string(), v.unknown()),
  error: v.optional(v.object({ message: v.string() })),
});

/** Starts the Firestore Admin API in front of a running engine, with the databases `(default)` and `usage`, and a caller with a token. */
export async function startAdminUnderTest({ engine, project, now }: { engine: LocalServer; project: string; now?: () => Date }) {
  const identity = new Identity();
  const email = `functions@${project}.iam.gserviceaccount.com`;
  identity.addAccount(email);
  const admin = await startFirestoreAdmin({
    ...{ identity, project, firestore: engine.address, databases: ["(default)", "usage"] },
    ...(now ? { now } : {}),
  });
  const { accessToken } = identity.mint(email, [SCOPES.cloudPlatform], 3600);
  return { admin, token: accessToken, ...adminCaller(`http://${admin.address}`, project, accessToken) };
}

/** Calls the Firestore Admin API at a base URL. Paths are below the project. */
export function adminCaller(base: string, project: string, token: string) {
  const call = async (method: string, path: string, body?: object, root = "/v1"): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(`${base}${root}/projects/${project}/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: await response.json() };
  };
  /** Waits for an operation and returns it as it ends. */
  const ended = async (started: { body: unknown }): Promise<v.InferOutput<typeof OperationAnswer>> => {
    let operation = v.parse(OperationAnswer, started.body);
    while (!operation.done) {
      const path = operation.name.split("/").slice(2).join("/");
      operation = v.parse(OperationAnswer, (await call("GET", path)).body);
    }
    return operation;
  };
  return {
    call,
    ended,
    clone: (source: string, databaseId: string, snapshotTime: Date) =>
      call("POST", "databases:clone", {
        databaseId,
        pitrSnapshot: { database: `projects/${project}/databases/${source}`, snapshotTime: snapshotTime.toISOString() },
      }),
    restore: (backup: string, databaseId: string) => call("POST", "databases:restore", { databaseId, backup }),
    /** Takes a backup as a daily schedule does, and returns its name. */
    takeBackup: async (database: string): Promise<string> =>
      v.parse(Named, (await call("POST", `databases/${database}/backups`, {}, "/emulator/v1")).body).name,
    freshId: () => `copy-${randomUUID()}`,
  };
}
