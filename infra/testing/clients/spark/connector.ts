import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allSnippets } from "../snippets.ts";
import { mavenJar } from "../tools/maven.ts";
import type { PythonEnvironment } from "../tools/python-environment.ts";
import { mustRun } from "../tools/run-program.ts";

/** Google's file system for Hadoop, with all that it needs in one jar. */
export const connector = mavenJar("com.google.cloud.bigdataoss:gcs-connector:hadoop3-2.2.26:jar:shaded");

/**
 * Compiles the class of the customer's guide that gives the token, into a folder of its own below `folder`.
 * @returns the variables that the guide's program reads: `CONNECTOR`, the jar, and `CLASSES`, the folder
 */
export async function connectorVariables(
  folder: string,
  client: string,
  environment: PythonEnvironment,
): Promise<Readonly<Record<string, string>>> {
  const token = allSnippets().find((snippet) => snippet.client === client && snippet.language === "java");
  if (!token) throw new Error("The customer's guide has no class that gives the token");
  const { program } = await environment.python();
  const { stdout } = await mustRun(program, ["-c", "import pyspark; print(pyspark.__path__[0])"], { folder });
  const [source, classes, jar] = [join(folder, "Token.java"), join(folder, "classes"), await connector.jar()];
  writeFileSync(source, token.text);
  mkdirSync(classes, { recursive: true });
  await mustRun("javac", ["-cp", `${jar}:${join(stdout.trim(), "jars", "*")}`, "-d", classes, source], { folder });
  return { CONNECTOR: jar, CLASSES: classes };
}
