import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as v from "valibot";
import type { Subject } from "../simulations.ts";
import { type Mutant, mutate } from "./mutant.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
/** The sources of the simulator and of the code under test. */
const SOURCES = ["functions", "shared", "infra/countries.json", "infra/testing/simulation", "scripts/simulate", "scripts/simulate.ts"];
const MORE = ["scripts/table.ts", "package.json"];

const COMPILED = join(tmpdir(), "populus-mutants-compiled");

const Caught = v.object({
  schedules: v.number(),
  failure: v.optional(v.object({ seed: v.number(), violation: v.object({ invariant: v.string(), message: v.string() }) })),
});
export type Caught = v.InferOutput<typeof Caught>;

/**
 * Copies the sources to a new folder, breaks one of them and runs the simulator there in a separate process, up to the first violation.
 * @param mutant undefined for an unchanged copy
 * @returns how many schedules ran, and the violation if any; throws when the mutant does not fit its source or does not run
 */
export async function tryMutant(mutant: Mutant | undefined, subject: Subject, seed: number, schedules: number): Promise<Caught> {
  const folder = mkdtempSync(join(tmpdir(), "populus-mutant-"));
  try {
    for (const source of [...SOURCES, ...MORE])
      cpSync(join(ROOT, source), join(folder, source), { recursive: true, filter: (path) => !path.endsWith(".test.ts") });
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    if (mutant) writeFileSync(join(folder, mutant.file), mutate(readFileSync(join(ROOT, mutant.file), "utf8"), mutant));
    // Most modules are the same in all copies.
    const env = { ...process.env, NODE_COMPILE_CACHE: COMPILED };
    const options = ["--json", "--workers", "1", "--what", subject, "--seed", String(seed), "--schedules", String(schedules)];
    const run = [join(folder, "scripts/simulate.ts"), ...options];
    const { stdout } = await promisify(execFile)(process.execPath, ["--disable-warning=ExperimentalWarning", ...run], { env });
    return v.parse(Caught, JSON.parse(stdout));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
