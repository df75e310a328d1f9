import { spawn } from "node:child_process";
import { accessSync, constants, readdirSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** The parts of a machine that the search for emulators reads. Tests inject their own. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The names in a folder; empty if it does not exist. */
  list(folder: string): readonly string[];
  /** The real path of an executable file; undefined if it is missing or not executable. */
  executable(path: string): string | undefined;
  /** A line that names a Java's version, as `java -version` or the `release` file of its installation has it; undefined if it does not run. */
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
    executable,
    javaVersion: javaVersionOnce,
  };
}

/** The real path of an executable file; undefined if it is missing or not executable. */
function executable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The real path of the program that a command starts: of a path, or of a name that is searched in PATH. */
export function programOf(command: string): string | undefined {
  if (command.includes("/")) return executable(command);
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const found = folder === "" ? undefined : executable(join(folder, command));
    if (found !== undefined) return found;
  }
  return undefined;
}

const versions = new Map<string, Promise<string | undefined>>();

/** Each start of a JVM takes a tenth of a second: one answers for all emulators, and none starts where the installation says what it is. */
function javaVersionOnce(java: string): Promise<string | undefined> {
  const known = versions.get(java) ?? Promise.resolve(releasedVersion(java) ?? runJavaVersion(java));
  versions.set(java, known);
  return known;
}

/** Source: https://openjdk.org/jeps/223, the file `release` of a Java installation. Programs that pick a Java, such as jenv, have none. */
function releasedVersion(java: string): string | undefined {
  const program = programOf(java);
  if (program === undefined) return undefined;
  try {
    return /^JAVA_VERSION=.*$/m.exec(readFileSync(join(dirname(program), "../release"), "utf8"))?.[0];
  } catch {
    return undefined;
  }
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
