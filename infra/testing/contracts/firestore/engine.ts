import { randomUUID } from "node:crypto";
import { Firestore } from "@google-cloud/firestore";
import type { LocalServer } from "../../../local/server.ts";
import type { Engine } from "./check.ts";

/** Connects the real client to a running server. The returned function ends the clients and the server. */
export function connectEngine(server: LocalServer, project: string): { readonly engine: Engine; readonly end: () => Promise<void> } {
  process.env.FIRESTORE_EMULATOR_HOST = server.address;
  // Detecting a metadata server delays the first call by half a second and logs a warning.
  process.env.METADATA_SERVER_DETECTION = "none";
  const clients: Firestore[] = [];
  const connect: Engine["connect"] = (settings) => {
    const client = new Firestore({ projectId: project, ...settings });
    clients.push(client);
    return client;
  };
  const db = connect({});
  return {
    engine: { address: server.address, project, db, connect, fresh: () => db.collection(`c-${randomUUID()}`) },
    async end() {
      await Promise.all(clients.map((client) => client.terminate()));
      await server.close();
    },
  };
}
