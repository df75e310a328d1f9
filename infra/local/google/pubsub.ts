import { dirname, join } from "node:path";
import { findGooglePubSub } from "./find.ts";
import { hostMachine, programOf } from "./machine.ts";
import { type Emulator, startEmulator } from "./process.ts";

/**
 * Starts Google's own Pub/Sub emulator. Rejects with a one-line message if it is not installed, and with its output if it does not start.
 */
export async function startGooglePubSub({ project }: { readonly project: string }): Promise<Emulator> {
  const found = await findGooglePubSub();
  if (!found.found) throw new Error(found.missing);
  const jars = join(dirname(found.script), "../lib");
  return startEmulator({
    name: "Google's Pub/Sub emulator",
    classes: {
      name: "pubsub",
      files: [
        programOf(found.java) ?? found.java,
        found.script,
        ...hostMachine()
          .list(jars)
          .map((jar) => join(jars, jar)),
      ],
    },
    command: (port) => [found.script, "--host=127.0.0.1", `--port=${port}`, `--projects=${project}`],
  });
}
