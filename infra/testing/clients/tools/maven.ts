import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Found, Tool } from "../client.ts";
import { cached } from "./cache-folder.ts";
import { runProgram } from "./run-program.ts";

const INSTALL_SECONDS_MAX = 600;
const COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy";

/** A program in a jar of Maven Central, run by the machine's Java. */
export interface MavenJar extends Tool {
  /** Returns the path of the jar. */
  jar(): Promise<string>;
}

/** Describes the jar of an artifact, `group:name:version`. Maven copies it to the cache once. */
export function mavenJar(artifact: string): MavenJar {
  let copied: Promise<string> | undefined;
  const jar = (): Promise<string> => {
    copied ??= copy(artifact);
    return copied;
  };
  return {
    jar,
    find: async (): Promise<Found> => {
      try {
        await jar();
        return { found: true };
      } catch (error) {
        return { found: false, missing: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

async function copy(artifact: string): Promise<string> {
  for (const [program, flag] of [
    ["java", "-version"],
    ["mvn", "--version"],
  ] as const)
    await runProgram(program, [flag], { folder: tmpdir() }).catch(() => {
      throw new Error(`${program} is not installed`);
    });
  const folder = await cached(`jar-${artifact.replaceAll(":", "-")}`, async (made) => {
    const args = ["-q", "-B", COPY, `-Dartifact=${artifact}`, `-DoutputDirectory=${made}`];
    const { exitCode, stdout } = await runProgram("mvn", args, { folder: tmpdir(), secondsMax: INSTALL_SECONDS_MAX });
    if (exitCode !== 0)
      throw new Error(`mvn could not copy ${artifact}: ${stdout.split("\n").find((line) => line.includes("ERROR")) ?? ""}`);
  });
  return join(folder, readdirSync(folder).find((file) => file.endsWith(".jar")) ?? "");
}
