import * as v from "valibot";
import indexes from "../firestore.indexes.json" with { type: "json" };
import { findGoogleFirestore, findGooglePubSub } from "./google/find.ts";
import { startGoogleFirestore } from "./google/firestore.ts";
import { startGooglePubSub } from "./google/pubsub.ts";
import type { Identity } from "./identity.ts";
import type { LocalServer } from "./server.ts";

/** The engines of Firestore and Pub/Sub: Google's emulators, the embedded ones (Node only), or "auto": Google's if they are installed. */
export type EngineChoice = "auto" | "embedded" | "google";

interface Started {
  readonly engine: "google-emulator" | "embedded";
  readonly server: LocalServer;
}

const Indexes = v.object({
  indexes: v.array(
    v.object({
      collectionGroup: v.string(),
      queryScope: v.string(),
      fields: v.array(v.object({ fieldPath: v.string(), order: v.optional(v.string()), arrayConfig: v.optional(v.string()) })),
    }),
  ),
});

/**
 * Starts Firestore. The embedded engine serves only queries that have an index in `firestore.indexes.json`. With a data folder the engine
 * is always the embedded one, since Google's emulator does not persist. Throws a one-line error if Google's emulator was requested and is
 * missing, or if the folder cannot be used.
 */
export async function startDocuments(choice: EngineChoice, project: string, identity: Identity, dataDirectory?: string): Promise<Started> {
  if (dataDirectory === undefined && (await useGoogle(choice, findGoogleFirestore)))
    return { engine: "google-emulator", server: await startGoogleFirestore({ project }) };
  const options = { project, identity, indexes: v.parse(Indexes, indexes).indexes, ...persistenceOption(dataDirectory) };
  // Loaded only where it serves: Google's emulators take the time of two cores.
  const { startFirestore } = await import("./firestore/start.ts");
  return { engine: "embedded", server: await startFirestore(options) };
}

/** Starts Pub/Sub. The data folder and the errors are those of `startDocuments`. */
export async function startMessages(choice: EngineChoice, project: string, identity: Identity, dataDirectory?: string): Promise<Started> {
  if (dataDirectory === undefined && (await useGoogle(choice, findGooglePubSub)))
    return { engine: "google-emulator", server: await startGooglePubSub({ project }) };
  const { startPubSub } = await import("./pubsub/server.ts");
  return { engine: "embedded", server: await startPubSub({ identity, ...persistenceOption(dataDirectory) }) };
}

function persistenceOption(dataDirectory: string | undefined): { dataDirectory?: string } {
  return dataDirectory === undefined ? {} : { dataDirectory };
}

type Finding = { readonly found: true } | { readonly found: false; readonly missing: string };

async function useGoogle(choice: EngineChoice, find: () => Promise<Finding>): Promise<boolean> {
  if (choice === "embedded") return false;
  const finding = await find();
  if (choice === "google" && !finding.found) throw new Error(`${finding.missing}. Omit --engines google to use the embedded engine.`);
  return finding.found;
}
