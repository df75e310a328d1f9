import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { functionsConfig } from "../../infra/local/functions-environment.ts";
import { parseOptions } from "../../infra/local/options.ts";
import { startService } from "../../infra/local/service.ts";
import { clientOf } from "../../infra/testing/rehearsal/client.ts";
import { allDocuments } from "../../infra/testing/rehearsal/documents.ts";
import { leaveDocuments } from "../../infra/testing/rehearsal/journeys.ts";
import { provisionCustomer } from "../admin/local/customers.ts";
import { Fields, type Recorded, toJson } from "./stored-documents.ts";

const TICK_MS = 300_000;

/** Starts a separate service of this checkout, lets a customer use it, and returns the documents that this leaves in Firestore. */
export async function recordDocuments(): Promise<Recorded> {
  const stateDirectory = mkdtempSync(join(tmpdir(), "populus-release-"));
  const options = ["--state", stateDirectory, "--engines", "embedded", "--no-schedule", "--days", "4"];
  const { ready, stop } = await startService(parseOptions(options), () => undefined);
  try {
    const admin = { service: "storage", scopes: ["realtime"], machineAccountAdmin: true } as const;
    const account = { name: "A customer of this release", countries: ["EST"], defaultCountry: "EST", keys: { admin } };
    const { uid, keys } = await provisionCustomer(functionsConfig(ready.project), ready.metadata_host, account);
    const client = clientOf({ uid, key: keys.admin ?? "" }, { users: ready.users_base_url, data: ready.data_base_url });
    const names = [uid, ...(await leaveDocuments(client))];
    // A tick, so that there is a snapshot of headcounts.
    const headers = { "x-cloudscheduler-scheduletime": new Date(Math.floor(Date.now() / TICK_MS) * TICK_MS).toISOString() };
    await fetch(ready.functions["realtime-refresh"] ?? "", { method: "POST", headers });
    const { main, usage } = ready.firestore_databases;
    const documentsOf = async (databaseId: string) => {
      const db = new Firestore({ projectId: ready.project, databaseId, host: ready.firestore_host, ssl: false });
      const all = (await allDocuments(db)).map((document) => [document.ref.path, v.parse(Fields, toJson(document.data()))] as const);
      await db.terminate();
      const own = all.filter((document) => names.some((name) => JSON.stringify(document).includes(name)));
      return Object.fromEntries(own.sort(([one], [other]) => (one < other ? -1 : 1)));
    };
    return { uid, main: await documentsOf(main), usage: await documentsOf(usage) };
  } finally {
    await stop();
    rmSync(stateDirectory, { recursive: true, force: true });
  }
}
