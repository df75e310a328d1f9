import * as v from "valibot";
import indexes from "../firestore.indexes.json" with { type: "json" };
import { startFirestore } from "./firestore/start.ts";
import { findGoogleFirestore, findGooglePubSub } from "./google/find.ts";
import { startGoogleFirestore } from "./google/firestore.ts";
import { startGooglePubSub } from "./google/pubsub.ts";
import type { Identity } from "./identity.ts";
import { startPubSub } from "./pubsub/server.ts";
import type { LocalServer } from "./server.ts";

/** Which engines Firestore and Pub/Sub run on: Google's emulators, our own that need only Node, or Google's where they are found. */
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
 * Starts Firestore; the embedded engine serves only queries that have their index in `firestore.indexes.json`. With a data folder it is the
 * embedded one: Google's keeps nothing. Throws one clear line when Google's was asked for and is not there, or the folder cannot be used.
 */
export async function startDocuments(choice: EngineChoice, project: string, dataDirectory?: string): Promise<Started> {
  if (dataDirectory === undefined && (await useGoogle(choice, findGoogleFirestore)))
    return { engine: "google-emulator", server: await startGoogleFirestore({ project }) };
  const options = { project, indexes: v.parse(Indexes, indexes).indexes, ...persistenceOption(dataDirectory) };
  return { engine: "embedded", server: await startFirestore(options) };
}

/** Starts Pub/Sub; a data folder, and what is thrown, as for Firestore. */
export async function startMessages(choice: EngineChoice, project: string, identity: Identity, dataDirectory?: string): Promise<Started> {
  if (dataDirectory === undefined && (await useGoogle(choice, findGooglePubSub)))
    return { engine: "google-emulator", server: await startGooglePubSub({ project }) };
  return { engine: "embedded", server: await startPubSub({ identity, ...persistenceOption(dataDirectory) }) };
}

function persistenceOption(dataDirectory: string | undefined): { dataDirectory?: string } {
  return dataDirectory === undefined ? {} : { dataDirectory };
}

type Finding = { readonly found: true } | { readonly found: false; readonly missing: string };

async function useGoogle(choice: EngineChoice, find: () => Promise<Finding>): Promise<boolean> {
  if (choice === "embedded") return false;
  const finding = await find();
  if (choice === "google" && !finding.found)
    throw new Error(`${finding.missing}. Without --engines google the embedded engine takes its place.`);
  return finding.found;
}
