import type { Firestore, Settings } from "@google-cloud/firestore";
import { startFirestore } from "../../../local/firestore/start.ts";
import { startGoogleFirestore } from "../../../local/google/firestore.ts";
import { connectEngine } from "./engine.ts";

/** The same client of the embedded engine and of Google's, to compare what they do. `end` ends both. */
export interface BothEngines {
  readonly both: readonly Firestore[];
  readonly end: () => Promise<void>;
}

/** Starts both engines for a project. Rejects with one line if Google's is not installed. */
export async function connectBothEngines(project: string, settings: Settings = {}): Promise<BothEngines> {
  const both: Firestore[] = [];
  const ends: (() => Promise<void>)[] = [];
  for (const start of [startFirestore, startGoogleFirestore]) {
    const { engine, end } = connectEngine(await start({ project }), project);
    ends.push(end);
    const client = engine.connect(settings);
    // The client reads its address from the environment at its first call.
    await client.doc("first/call").get();
    both.push(client);
  }
  return {
    both,
    end: async () => {
      await Promise.all(ends.map((end) => end()));
    },
  };
}
