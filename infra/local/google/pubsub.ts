import type { LocalServer } from "../server.ts";
import { findGooglePubSub } from "./find.ts";
import { startEmulator } from "./process.ts";

/**
 * Starts Google's own Pub/Sub emulator. Rejects with a one-line message if it is not installed, and with its output if it does not start.
 */
export async function startGooglePubSub({ project }: { readonly project: string }): Promise<LocalServer> {
  const found = await findGooglePubSub();
  if (!found.found) throw new Error(found.missing);
  return startEmulator({
    name: "Google's Pub/Sub emulator",
    command: (port) => [found.script, "--host=127.0.0.1", `--port=${port}`, `--projects=${project}`],
  });
}
