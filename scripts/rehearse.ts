import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Rehearsed } from "../infra/testing/rehearsal/run-rehearsal.ts";
import { messageOf } from "../shared/runtime/error-message.ts";
import { exitOnHelp, REHEARSE_USAGE } from "./usage.ts";

/** How many lines of failures are shown. */
const SHOWN = 20;

/** Runs `npm run rehearse`. Returns whether every step was taken, and no request failed and no write was lost. */
async function main(): Promise<boolean> {
  exitOnHelp(REHEARSE_USAGE, process.argv.slice(2));
  // Loading the service takes seconds, which --help need not wait for.
  const [{ fromReleased, toNextColumn }, { rehearse }] = await Promise.all([
    import("../infra/testing/rehearsal/releases.ts"),
    import("../infra/testing/rehearsal/run-rehearsal.ts"),
  ]);
  const folder = mkdtempSync(join(tmpdir(), "populus-released-"));
  const startedAt = performance.now();
  let isFaultless = true;
  try {
    for (const succession of [() => fromReleased(folder), toNextColumn]) {
      const releases = succession();
      console.log(`From ${releases.before.title} to ${releases.after.title}`);
      try {
        isFaultless = report(await rehearse(releases, (line) => console.log(line))) && isFaultless;
      } finally {
        releases.remove();
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`\n${isFaultless ? "Every step was taken" : "Not rehearsed"}, in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  return isFaultless;
}

function report({ steps, answered, failures, writes, lost }: Rehearsed): boolean {
  console.log(`  requests: ${answered["N-1"]} answered by N-1, ${answered.N} by N, ${failures.length} failed`);
  console.log(`  lost writes: ${lost.length} of ${writes} acknowledged`);
  const faults = [...steps.flatMap((step) => step.faults), ...failures, ...lost];
  for (const fault of faults.slice(0, SHOWN)) console.log(`  ${fault}`);
  if (faults.length > SHOWN) console.log(`  … and ${faults.length - SHOWN} more`);
  return faults.length === 0;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
