import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeBundles, START_FILE } from "../../../../scripts/bundle/bundles.ts";
import { functionEntries } from "../../../../scripts/bundle/functions.ts";
import { imageFiles } from "../../../../scripts/bundle/image.ts";
import { requestOf } from "../../../../scripts/bundle/sample-requests.ts";
import { SERVICE_COMMAND, startBundle } from "../../../../scripts/bundle/testing/running-bundle.ts";
import type { CheckContext, Client } from "../client.ts";
import { runProgram } from "../tools/run-program.ts";
import { base } from "./base.ts";
import { type BuiltImage, buildImage } from "./image.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** Shell conditions that must not hold for the user of the image, and what would be wrong. */
const FORBIDDEN = {
  "functions run as root": '[ "$(id -u)" = 0 ]',
  "functions may change their code": "[ -w . ] || [ -w start.cjs ]",
  "package managers are there": "command -v npm || command -v yarn || command -v corepack || ls /usr/local/lib/node_modules",
  "the bytecode of a function is missing": '[ "$(ls "$CODE_CACHE" | wc -l)" -ne "$FUNCTIONS" ]',
} as const;

/** Builds the image as a release does, from all functions. Returns it with their names. */
async function build(folder: string): Promise<{ readonly image: BuiltImage; readonly names: readonly string[] }> {
  const context = join(folder, "context");
  mkdirSync(context);
  const bundles = await makeBundles(ROOT, functionEntries(ROOT));
  for (const [path, content] of imageFiles(ROOT, bundles)) writeFileSync(join(context, path), content);
  return { image: await buildImage(context, await base.installed(), folder), names: bundles.map(({ name }) => name) };
}

/** Returns what is wrong with a function that is started from the image as its service does, undefined if nothing is. */
async function faultOf(image: BuiltImage, name: string, { environment, customer }: CheckContext): Promise<string | undefined> {
  // The image has the countries of the project, and not this machine's files.
  const { COUNTRIES_FILE: _, ...variables } = environment;
  const command = image.inside(...SERVICE_COMMAND, START_FILE, `--target=${name}`, `--source=${name}.cjs`);
  const bundle = await startBundle("/", name, variables, command);
  const headers = { "x-api-key": customer.keys.warehouse ?? "" };
  const { status, text } = await bundle.ask({ ...requestOf(name, customer.uid), headers }).finally(() => bundle.stop());
  // It has ended: this tells how.
  const exitCode = await bundle.stop();
  if (status >= 500) return `${name} answers ${status}: ${text}`;
  if (exitCode !== 0) return `${name} exits with ${exitCode} when it is stopped`;
  return bundle.said().includes("is compiled anew") ? `${name} does not take its bytecode: ${bundle.said()}` : undefined;
}

/** Buildah, which builds images by Dockerfiles without a daemon. */
export const buildah: Client = {
  name: "buildah",
  tool: base,
  checks: [
    {
      name: "the image of all functions, and each function in it",
      quick: false,
      run: async (context) => {
        const { image, names } = await build(context.folder);
        try {
          const faults: string[] = [];
          for (const [fault, condition] of Object.entries(FORBIDDEN)) {
            const [program = "", ...args] = image.inside(`FUNCTIONS=${names.length}`, "sh", "-c", condition);
            if ((await runProgram(program, args, { folder: context.folder })).exitCode === 0) faults.push(fault);
          }
          for (const name of names) {
            const fault = await faultOf(image, name, context);
            if (fault !== undefined) faults.push(fault);
          }
          if (faults.length > 0) throw new Error(`${image.log}\n\n${faults.join("\n")}`);
        } finally {
          await image.remove();
        }
      },
    },
  ],
};
