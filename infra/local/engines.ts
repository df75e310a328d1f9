import * as v from "valibot";
import indexes from "../firestore.indexes.json" with { type: "json" };
import { findGoogleFirestore, findGooglePubSub } from "./google/find.ts";
import { startGoogleFirestore } from "./google/firestore.ts";
import type { Emulator } from "./google/process.ts";
import { startGooglePubSub } from "./google/pubsub.ts";
import type { Identity } from "./identity.ts";
import type { LocalServer } from "./server.ts";

/** The engines of Firestore and Pub/Sub: Google's emulators, the embedded ones (Node only), or "auto": Google's if they are installed. */
export type EngineChoice = "auto" | "embedded" | "google";

type Started =
  | { readonly engine: "google-emulator"; readonly server: Emulator }
  | { readonly engine: "embedded"; readonly server: LocalServer };

const Indexes = v.object({
  indexes: v.array(
    v.object({
      collectionGroup: v.string(),
      queryScope: v.string(),
      fields: v.array(v.object({ fieldPath: v.string(), order: v.optional(v.string()), arrayConfig: v.optional(v.string()) })),
    }),
  ),
});

/** Google's emulators while they start: each resolves with undefined if its embedded engine serves instead. */
export interface GoogleEngines {
  readonly documents: Promise<Emulator | undefined>;
  readonly messages: Promise<Emulator | undefined>;
}

/**
 * Starts those of Google's emulators that are wanted and installed. With a data folder the engines are always the embedded ones, since
 * Google's do not persist. Each rejects with a one-line error if it was requested and is missing, or does not start.
 */
export function startGoogleEngines(choice: EngineChoice, project: string, dataDirectory?: string): GoogleEngines {
  const wanted = dataDirectory === undefined ? choice : "embedded";
  const start = async (find: () => Promise<Finding>, startFound: typeof startGoogleFirestore): Promise<Emulator | undefined> =>
    (await useGoogle(wanted, find)) ? startFound({ project }) : undefined;
  const engines = { documents: start(findGoogleFirestore, startGoogleFirestore), messages: start(findGooglePubSub, startGooglePubSub) };
  // Who waits for them begins later.
  for (const engine of [engines.documents, engines.messages]) engine.catch(() => undefined);
  return engines;
}

/**
 * Returns Firestore: Google's emulator, or the embedded engine, which serves only queries that have an index in `firestore.indexes.json`. Throws
 * a one-line error if the folder cannot be used.
 */
export async function startDocuments(
  { documents }: GoogleEngines,
  project: string,
  identity: Identity,
  dataDirectory?: string,
): Promise<Started> {
  const server = await documents;
  if (server) return { engine: "google-emulator", server };
  const options = { project, identity, indexes: v.parse(Indexes, indexes).indexes, ...persistenceOption(dataDirectory) };
  // Loaded only where it serves: Google's emulators take the time of two cores.
  const { startFirestore } = await import("./firestore/start.ts");
  return { engine: "embedded", server: await startFirestore(options) };
}

/** Returns Pub/Sub: Google's emulator, or the embedded engine. The errors are those of `startDocuments`. */
export async function startMessages({ messages }: GoogleEngines, identity: Identity, dataDirectory?: string): Promise<Started> {
  const server = await messages;
  if (server) return { engine: "google-emulator", server };
  const { startPubSub } = await import("./pubsub/server.ts");
  return { engine: "embedded", server: await startPubSub({ identity, ...persistenceOption(dataDirectory) }) };
}

/** Ends an engine. One that has served a whole start leaves an archive for the next one. */
export function closeEngine(started: Started, hasServed: boolean): Promise<void> {
  return started.engine === "google-emulator" && hasServed ? started.server.closeWithArchive() : started.server.close();
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
