import { delimiter, dirname, join } from "node:path";
import { hostMachine, type Machine } from "./machine.ts";

/** The location of an emulator, or a one-line message about what is missing. */
type Found<T> = ({ readonly found: true; readonly java: string } & T) | { readonly found: false; readonly missing: string };

export type FoundFirestore = Found<{ readonly jar: string }>;
export type FoundPubSub = Found<{ readonly script: string }>;

/** The emulators' jars require this Java version. */
const JAVA_LEAST = 11;

/** Finds Google's Firestore emulator: in a Google Cloud SDK, else among the downloads of firebase-tools (the newest). */
export async function findGoogleFirestore(machine: Machine = hostMachine()): Promise<FoundFirestore> {
  const folders = [
    ...sdkRoots(machine).map((root) => join(root, "platform/cloud-firestore-emulator")),
    join(machine.home, ".cache/firebase/emulators"),
  ];
  for (const folder of folders) {
    const jar = newest(machine.list(folder).filter((name) => /^cloud-firestore-emulator.*\.jar$/.test(name)));
    if (jar !== undefined) return withJava(machine, { jar: join(folder, jar) });
  }
  return nowhere("Firestore emulator (cloud-firestore-emulator*.jar)", folders);
}

/** Finds Google's Pub/Sub emulator: in a Google Cloud SDK, else among the downloads of firebase-tools (the newest). */
export async function findGooglePubSub(machine: Machine = hostMachine()): Promise<FoundPubSub> {
  const downloads = join(machine.home, ".cache/firebase/emulators");
  const unpacked = newest(machine.list(downloads).filter((name) => /^pubsub-emulator-[\d.]+$/.test(name)));
  const folders = [
    ...sdkRoots(machine).map((root) => join(root, "platform/pubsub-emulator/bin")),
    join(downloads, unpacked ?? "pubsub-emulator-*", "pubsub-emulator/bin"),
  ];
  for (const folder of folders) {
    const script = join(folder, "cloud-pubsub-emulator");
    if (machine.executable(script) !== undefined) return withJava(machine, { script });
  }
  return nowhere("Pub/Sub emulator (cloud-pubsub-emulator)", folders);
}

async function withJava<T>(machine: Machine, what: T): Promise<Found<T>> {
  const java = machine.env.JAVA_HOME ? join(machine.env.JAVA_HOME, "bin/java") : "java";
  const said = await machine.javaVersion(java);
  if (said === undefined) return { found: false, missing: `Google's emulators need Java ${JAVA_LEAST} or newer: "${java}" does not run` };
  const major = javaMajor(said);
  if (major === undefined || major < JAVA_LEAST) {
    return {
      found: false,
      missing: `Google's emulators need Java ${JAVA_LEAST} or newer: "${java}" is ${major ?? "of an unknown version"}`,
    };
  }
  return { found: true, java, ...what };
}

/** Parses 17 from `openjdk version "17.0.15"` and `JAVA_VERSION="17.0.15"`, 8 from `java version "1.8.0_292"`. */
function javaMajor(said: string): number | undefined {
  const version = /version[ =]"(?:1\.)?(\d+)/i.exec(said)?.[1];
  return version === undefined ? undefined : Number(version);
}

function sdkRoots(machine: Machine): string[] {
  const roots = machine.env.CLOUDSDK_ROOT ? [machine.env.CLOUDSDK_ROOT] : [];
  for (const folder of (machine.env.PATH ?? "").split(delimiter)) {
    const gcloud = folder === "" ? undefined : machine.executable(join(folder, "gcloud"));
    if (gcloud !== undefined) roots.push(dirname(dirname(gcloud)));
  }
  roots.push("/usr/lib/google-cloud-sdk", join(machine.home, "google-cloud-sdk"));
  return [...new Set(roots)];
}

/** Returns the name with the highest version number: 1.19.10 is above 1.19.8. */
function newest(names: readonly string[]): string | undefined {
  return [...names].sort((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
}

function nowhere(what: string, folders: readonly string[]): { readonly found: false; readonly missing: string } {
  return { found: false, missing: `Google's ${what} was not found in: ${folders.join(", ")}` };
}
