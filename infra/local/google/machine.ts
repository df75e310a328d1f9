import { spawn } from "node:child_process";
import { accessSync, constants, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";

/** All that finding the emulators may look at, so that a test can give any machine. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The names in a folder; none when there is no such folder. */
  list(folder: string): readonly string[];
  /** The file behind all symlinks; undefined when it is not there or not executable. */
  executable(path: string): string | undefined;
  /** What `java -version` says (on stderr); undefined when it does not run. */
  javaVersion(java: string): Promise<string | undefined>;
}

/** The machine this process runs on. */
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
    javaVersion: runJavaVersion,
  };
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
