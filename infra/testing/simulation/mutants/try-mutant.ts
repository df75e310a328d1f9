import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { compileFunction } from "node:vm";
import { context, type Plugin } from "esbuild";
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

/**
 * Returns an entry and the code under test, broken by a mutant if any, as one CommonJS module that imports packages only. Keeps this process
 * alive until `closeBundlers`.
 */
export async function bundle(contents: string, mutant: SourceChange | undefined): Promise<string> {
  const bundler = bundlers.get(contents) ?? openBundler(contents);
  bundlers.set(contents, bundler);
  return (await bundler).bundle(mutant);
}

/** A bundler for each entry: it keeps the sources parsed, of which a mutant changes one. */
const bundlers = new Map<string, Promise<Bundler>>();

interface Bundler {
  readonly bundle: (mutant: SourceChange | undefined) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Ends the bundlers. A later bundle opens one again. */
export async function closeBundlers(): Promise<void> {
  const opened = [...bundlers.values()];
  bundlers.clear();
  for (const bundler of opened) await (await bundler).close();
}

async function openBundler(contents: string): Promise<Bundler> {
  let broken: SourceChange | undefined;
  const { rebuild, dispose } = await context({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    platform: "node",
    format: "cjs",
    packages: "external",
    write: false,
    logLevel: "silent",
    plugins: [ownSources(() => broken)],
  });
  let turn: Promise<unknown> = Promise.resolve();
  return {
    bundle: (mutant) => {
      // One after another: they share the mutant.
      const built = turn.then(async () => {
        broken = mutant;
        const { outputFiles } = await rebuild();
        return outputFiles.map(({ text }) => text).join("");
      });
      turn = built.catch(() => undefined);
      return built;
    },
    close: dispose,
  };
}

const MUTATED = "mutated";

/**
 * The project's modules have no side effects: those whose exports are unused are left out, with the clients that they import. The file of a
 * mutant is read as the mutant has it.
 */
function ownSources(mutant: () => SourceChange | undefined): Plugin {
  return {
    name: "own-sources",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
        const file = resolve(resolveDir, path);
        const { file: changed } = mutant() ?? {};
        return { path: file, sideEffects: false, ...(changed !== undefined && file === join(ROOT, changed) ? { namespace: MUTATED } : {}) };
      });
      onLoad({ filter: /.*/, namespace: MUTATED }, ({ path }) => {
        const change = mutant();
        const source = readFileSync(path, "utf8");
        return { contents: change ? mutate(source, change) : source, loader: "ts", resolveDir: dirname(path) };
      });
    },
  };
}

/** Runs a module's code and returns its exports. Its packages are those of this process, loaded once for all mutants. */
export function evaluate(code: string): unknown {
  const module: { exports: unknown } = { exports: {} };
  compileFunction(code, ["require", "module"])(createRequire(join(ROOT, "package.json")), module);
  return module.exports;
}
