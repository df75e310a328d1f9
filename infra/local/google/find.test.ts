import { describe, expect, it } from "vitest";
import { findGoogleFirestore, findGooglePubSub } from "./find.ts";
import type { Machine } from "./machine.ts";

const JAVA_17 = 'openjdk version "17.0.15" 2025-04-15';
const SDK = "/opt/sdk";
const SDK_JAR = `${SDK}/platform/cloud-firestore-emulator/cloud-firestore-emulator.jar`;
const SDK_SCRIPT = `${SDK}/platform/pubsub-emulator/bin/cloud-pubsub-emulator`;

interface MachineOptions {
  readonly env?: Record<string, string>;
  readonly files?: readonly string[];
  readonly links?: Readonly<Record<string, string>>;
  readonly java?: Readonly<Record<string, string>>;
}

function machineWith({ env = {}, files = [], links = {}, java = { java: JAVA_17 } }: MachineOptions): Machine {
  return {
    env,
    home: "/home/ana",
    list: (folder) => [
      ...new Set(files.filter((file) => file.startsWith(`${folder}/`)).map((file) => file.slice(folder.length + 1).split("/")[0] ?? "")),
    ],
    executable: (path) => links[path] ?? (files.includes(path) ? path : undefined),
    javaVersion: async (command) => java[command],
  };
}

describe("finding Google's emulators", () => {
  it.each([
    ["CLOUDSDK_ROOT", SDK, { env: { CLOUDSDK_ROOT: SDK } }],
    ["gcloud on PATH, behind a symlink", SDK, { env: { PATH: "/bin::/usr/bin" }, links: { "/usr/bin/gcloud": `${SDK}/bin/gcloud` } }],
    ["the folder of the Debian package", "/usr/lib/google-cloud-sdk", {}],
    ["the home folder", "/home/ana/google-cloud-sdk", {}],
  ])("finds both by %s", async (_name, root, given) => {
    const jar = `${root}/platform/cloud-firestore-emulator/cloud-firestore-emulator.jar`;
    const script = `${root}/platform/pubsub-emulator/bin/cloud-pubsub-emulator`;
    const machine = machineWith({ ...given, files: [jar, script] });
    expect(await findGoogleFirestore(machine)).toEqual({ found: true, java: "java", jar });
    expect(await findGooglePubSub(machine)).toEqual({ found: true, java: "java", script });
  });

  it("picks the newest download of firebase-tools", async () => {
    const cache = "/home/ana/.cache/firebase/emulators";
    const machine = machineWith({
      files: [
        `${cache}/cloud-firestore-emulator-v1.19.8.jar`,
        `${cache}/cloud-firestore-emulator-v1.19.10.jar`,
        `${cache}/cloud-firestore-emulator-v1.2.0.jar`,
        `${cache}/ui-v1.15.0.zip`,
        `${cache}/pubsub-emulator-0.8.2.zip`,
        `${cache}/pubsub-emulator-0.8.2/pubsub-emulator/bin/cloud-pubsub-emulator`,
        `${cache}/pubsub-emulator-0.8.14/pubsub-emulator/bin/cloud-pubsub-emulator`,
      ],
    });
    expect(await findGoogleFirestore(machine)).toMatchObject({ found: true, jar: `${cache}/cloud-firestore-emulator-v1.19.10.jar` });
    expect(await findGooglePubSub(machine)).toMatchObject({
      found: true,
      script: `${cache}/pubsub-emulator-0.8.14/pubsub-emulator/bin/cloud-pubsub-emulator`,
    });
  });

  it("reports the folders that were searched when there is no emulator", async () => {
    const machine = machineWith({ env: { CLOUDSDK_ROOT: SDK } });
    for (const result of [await findGoogleFirestore(machine), await findGooglePubSub(machine)]) {
      expect(result).toMatchObject({ found: false, missing: expect.stringContaining(`was not found in: ${SDK}/platform/`) });
      expect(result).toMatchObject({ missing: expect.stringContaining("/home/ana/google-cloud-sdk/platform/") });
    }
  });

  it("uses the Java of JAVA_HOME if it is set", async () => {
    const env = { CLOUDSDK_ROOT: SDK, JAVA_HOME: "/opt/jdk" };
    const machine = machineWith({ env, files: [SDK_JAR], java: { "/opt/jdk/bin/java": JAVA_17 } });
    expect(await findGoogleFirestore(machine)).toMatchObject({ found: true, java: "/opt/jdk/bin/java" });
  });

  it.each([
    ["no Java", undefined, '"java" does not run'],
    ["an outdated Java", 'java version "1.8.0_292"', '"java" is 8'],
    ["a Java one version too old", 'openjdk version "10.0.2"', '"java" is 10'],
    ["another program named java", "coffee", '"java" is of an unknown version'],
  ])("reports %s", async (_name, said, words) => {
    const machine = machineWith({
      env: { CLOUDSDK_ROOT: SDK },
      files: [SDK_JAR, SDK_SCRIPT],
      java: said === undefined ? {} : { java: said },
    });
    for (const result of [await findGoogleFirestore(machine), await findGooglePubSub(machine)]) {
      expect(result).toEqual({ found: false, missing: `Google's emulators need Java 11 or newer: ${words}` });
    }
  });

  it.each([
    ['openjdk version "11.0.2" 2019-01-15', true],
    ['openjdk version "21-ea"', true],
    ['openjdk version "9"', false],
    ['JAVA_VERSION="17.0.15"', true],
    ['JAVA_VERSION="1.8.0_292"', false],
  ])("reads the version of %s", async (said, found) => {
    const machine = machineWith({ env: { CLOUDSDK_ROOT: SDK }, files: [SDK_JAR], java: { java: said } });
    expect(await findGoogleFirestore(machine)).toMatchObject({ found });
  });
});
