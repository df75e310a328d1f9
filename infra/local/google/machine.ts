import { spawn } from "node:child_process";
import { accessSync, constants, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";

/** The parts of a machine that the search for emulators reads. Tests inject their own. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The names in a folder; empty if it does not exist. */
  list(folder: string): readonly string[];
  /** The real path of an executable file; undefined if it is missing or not executable. */
  executable(path: string): string | undefined;
  /** The output of `java -version` (on stderr); undefined if it fails. */
  javaVersion(java: string): Promise<string | undefined>;
}

/** The machine that this process runs on. */
export function hostMachine(): Machine {
  return {
    env: process.env,
    home: homedir(),
    list(folder) {
      try {
        return readdirSync(folder);
      } catch {
        return [];
      }
    },
    executable(path) {
      try {
        accessSync(path, constants.X_OK);
        return realpathSync(path);
      } catch {
        return undefined;
      }
    },
    javaVersion: javaVersionOnce,
  };
}

const versions = new Map<string, Promise<string | undefined>>();

/** Each start of a JVM takes a tenth of a second: one answers for all emulators. */
function javaVersionOnce(java: string): Promise<string | undefined> {
  const known = versions.get(java) ?? runJavaVersion(java);
  versions.set(java, known);
  return known;
}

function runJavaVersion(java: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(java, ["-version"], { stdio: ["ignore", "ignore", "pipe"], timeout: 10_000 });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.once("error", () => resolve(undefined));
    child.once("close", (code) => resolve(code === 0 ? said : undefined));
  });
}
