import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Tool } from "../client.ts";
import { cached } from "./cache-folder.ts";
import { installedOnce } from "./installed-once.ts";
import { runProgram } from "./run-program.ts";

const INSTALL_SECONDS_MAX = 600;
const PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1";
/** Of a folder in a class path. */
const ALL_JARS = "*";

/** A program in a jar of Maven Central, run by the machine's Java. */
export interface MavenJar extends Tool {
  /** Returns the path of the jar. */
  jar(): Promise<string>;
}

/** Jars that programs in Java need. */
export interface MavenClasspath extends Tool {
  /** Returns Java's class path with all of them. */
  classpath(): Promise<string>;
}

/** Describes the jar of an artifact, `group:name:version`. Maven copies it to the cache once. */
export function mavenJar(artifact: string): MavenJar {
  const { find, installed } = installedOnce(async () => {
    const goal = (made: string) => [`${PLUGIN}:copy`, `-Dartifact=${artifact}`, `-DoutputDirectory=${made}`];
    const folder = await copy(`jar-${artifact.replaceAll(":", "-")}`, artifact, goal);
    return join(folder, readdirSync(folder).find((file) => file.endsWith(".jar")) ?? "");
  });
  return { find, jar: installed };
}

/** Describes what a `pom.xml` depends on, and all that this needs. Maven copies it to the cache once. */
export function mavenClasspath(pom: URL): MavenClasspath {
  const file = fileURLToPath(pom);
  const hash = createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 16);
  const goal = (made: string) => ["-f", file, `${PLUGIN}:copy-dependencies`, `-DoutputDirectory=${made}`];
  const { find, installed } = installedOnce(async () => join(await copy(`jars-${hash}`, file, goal), ALL_JARS));
  return { find, classpath: installed };
}

/**
 * Copies jars to a folder of the cache, once, and returns it.
 * @param what is named when Maven cannot
 * @param goal Maven's arguments for a folder
 */
async function copy(name: string, what: string, goal: (folder: string) => readonly string[]): Promise<string> {
  for (const [program, flag] of [
    ["java", "-version"],
    ["mvn", "--version"],
  ] as const)
    await runProgram(program, [flag], { folder: tmpdir() }).catch(() => {
      throw new Error(`${program} is not installed`);
    });
  return cached(name, async (made) => {
    const { exitCode, stdout } = await runProgram("mvn", ["-q", "-B", ...goal(made)], {
      folder: tmpdir(),
      secondsMax: INSTALL_SECONDS_MAX,
    });
    if (exitCode !== 0) throw new Error(`mvn could not copy ${what}: ${stdout.split("\n").find((line) => line.includes("ERROR")) ?? ""}`);
  });
}
