import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { compileFunction } from "node:vm";
import { build, type Plugin } from "esbuild";
import * as v from "valibot";
import type { Subject } from "../simulations.ts";
import { type Mutant, mutate, type SourceChange } from "./mutant.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const ENTRY = `import { runSchedules } from "./infra/testing/simulation/run-schedules.ts";
import { SIMULATIONS } from "./infra/testing/simulation/simulations.ts";
export const run = (subject, seed, schedules) => runSchedules(SIMULATIONS[subject], seed, schedules);`;

const Simulator = v.object({ run: v.function() });
const Caught = v.object({
  schedules: v.number(),
  failure: v.optional(v.object({ seed: v.number(), violation: v.object({ invariant: v.string(), message: v.string() }) })),
});
export type Caught = v.InferOutput<typeof Caught>;

/**
 * Bundles the simulator with one of the sources broken, and runs it in this process, up to the first violation. No file is changed.
 * @param mutant undefined for the sources as they are
 * @returns how many schedules ran, and the violation if any; throws when the mutant does not fit its source or does not run
 */
export async function tryMutant(mutant: Mutant | undefined, subject: Subject, seed: number, schedules: number): Promise<Caught> {
  const { run } = v.parse(Simulator, evaluate(await bundle(ENTRY, mutant)));
  return v.parse(Caught, await run(subject, seed, schedules));
}

/** Returns an entry and the code under test, broken by a mutant if any, as one CommonJS module that imports packages only. */
export async function bundle(contents: string, mutant: SourceChange | undefined): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    platform: "node",
    format: "cjs",
    packages: "external",
    write: false,
    logLevel: "silent",
    plugins: [ownSources, ...(mutant ? [broken(mutant)] : [])],
  });
  return outputFiles.map(({ text }) => text).join("");
}

/** The project's modules have no side effects: those whose exports are unused are left out, with the clients that they import. */
const ownSources: Plugin = {
  name: "own-sources",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => ({ path: resolve(resolveDir, path), sideEffects: false })),
};

function broken(mutant: SourceChange): Plugin {
  const file = join(ROOT, mutant.file);
  return {
    name: "mutant",
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, ({ path }) =>
        path === file ? { contents: mutate(readFileSync(file, "utf8"), mutant), loader: "ts" } : undefined,
      ),
  };
}

/** Runs a module's code and returns its exports. Its packages are those of this process, loaded once for all mutants. */
export function evaluate(code: string): unknown {
  const module: { exports: unknown } = { exports: {} };
  compileFunction(code, ["require", "module"])(createRequire(join(ROOT, "package.json")), module);
  return module.exports;
}
