import { findGoogleFirestore } from "./find.ts";
import { programOf } from "./machine.ts";
import { type Emulator, startEmulator } from "./process.ts";

/**
 * Starts Google's own Firestore emulator for one project; other projects are refused. Rejects with a one-line message if the emulator is
 * not installed, and with its output if it does not start.
 */
export async function startGoogleFirestore({ project }: { readonly project: string }): Promise<Emulator> {
  const found = await findGoogleFirestore();
  if (!found.found) throw new Error(found.missing);
  return startEmulator({
    name: "Google's Firestore emulator",
    classes: { name: "firestore", files: [programOf(found.java) ?? found.java, found.jar] },
    command: (port) => firestoreCommand(found, { project, port }),
  });
}

interface FirestoreCommand {
  readonly project: string;
  readonly port: number;
  /** More options of the JVM. */
  readonly jvmOptions?: readonly string[];
}

/** Returns the program and its arguments that serve one project on a port. */
export function firestoreCommand(
  { java, jar }: { readonly java: string; readonly jar: string },
  { project, port, jvmOptions = [] }: FirestoreCommand,
): readonly string[] {
  return [
    java,
    // Its error texts are correct only in English.
    "-Duser.language=en",
    ...jvmOptions,
    "-cp",
    jar,
    "com.google.cloud.datastore.emulator.firestore.CloudFirestore",
    "start",
    "--host=127.0.0.1",
    `--port=${port}`,
    `--project_id=${project}`,
    "--single_project_mode=true",
    "--single_project_mode_error=true",
  ];
}
