import { copyFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CheckContext, Client } from "../client.ts";
import { nodePackages } from "../tools/node-packages.ts";
import { mustRun } from "../tools/run-program.ts";
import { apiVariables, fetchDocuments } from "./documents.ts";

const packages = nodePackages(new URL("packages.txt", import.meta.url));

/** Runs a program of the packages in a check's folder, which finds the packages as its own. */
async function run(context: CheckContext, program: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await mustRun(join(await packages.folder(), ".bin", program), args, {
    folder: context.folder,
    environment: { NO_COLOR: "1", REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  return `${stdout}${stderr}`;
}

async function spectral(context: CheckContext): Promise<void> {
  writeFileSync(join(context.folder, "rules.yaml"), 'extends: ["spectral:oas"]\n');
  for (const { file } of await fetchDocuments(context))
    await run(context, "spectral", ["lint", "-r", "rules.yaml", "--fail-severity", "hint", file]);
}

async function redocly(context: CheckContext): Promise<void> {
  for (const { file } of await fetchDocuments(context)) {
    const said = await run(context, "redocly", ["lint", "--extends", "recommended", file]);
    if (/\b[1-9]\d* warning/.test(said)) throw new Error(said);
  }
}

/** Compiles a program as a strict TypeScript project would, and runs it. */
export async function runTypeScript(context: CheckContext, program: string): Promise<void> {
  symlinkSync(await packages.folder(), join(context.folder, "node_modules"));
  copyFileSync(fileURLToPath(new URL(`${program}.ts.txt`, import.meta.url)), join(context.folder, "main.ts"));
  const target = ["--target", "es2022", "--module", "commonjs", "--moduleResolution", "node10", "--lib", "es2023,dom", "--types", "node"];
  await run(context, "tsc", ["--strict", "--skipLibCheck", ...target, "--outDir", "out", "main.ts"]);
  await mustRun(process.execPath, [join(context.folder, "out", "main.js")], { folder: context.folder, environment: apiVariables(context) });
}

async function generatedTypes(context: CheckContext): Promise<void> {
  for (const { api, file } of await fetchDocuments(context)) await run(context, "openapi-typescript", [file, "-o", `${api}.ts`]);
  await runTypeScript(context, "openapi-fetch");
}

/** npm's tools for OpenAPI documents. */
export const openapiNode: Client = {
  name: "openapi-node",
  tool: packages,
  checks: [
    { name: "spectral:oas", quick: false, run: spectral },
    { name: "redocly lint", quick: false, run: redocly },
    { name: "openapi-typescript, openapi-fetch: login, preview, map, job", quick: false, run: generatedTypes },
  ],
};
