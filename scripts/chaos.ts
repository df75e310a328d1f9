import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../shared/runtime/error-message.ts";
import { parseChaosCommand, USAGE } from "./chaos/options.ts";

/** How many failures are printed. */
const SHOWN = 20;

/** Runs `npm run chaos`. Returns whether all checks passed. */
async function main(): Promise<boolean> {
  const { help, ...command } = parseChaosCommand(process.argv.slice(2), new Date());
  if (help) {
    process.stdout.write(USAGE);
    return true;
  }
  // Loading the service takes seconds, which --help need not wait for.
  const { runChaos } = await import("../infra/testing/chaos/run-chaos.ts");
  console.log(`Chaos of ${command.jobs} jobs and ${command.maps} maps, seed ${command.seed}`);
  const stateDirectory = mkdtempSync(join(tmpdir(), "populus-chaos-"));
  const startedAt = performance.now();
  const { counts, faults } = await runChaos({ ...command, stateDirectory, say: (line) => console.log(line) });
  console.log(`\nFinished in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  for (const [name, number] of Object.entries(counts)) console.log(`  ${name}: ${number}`);
  if (faults.length === 0) rmSync(stateDirectory, { recursive: true, force: true });
  else console.log(`\n${faults.length} failed checks${faults.length > SHOWN ? `, the first ${SHOWN}` : ""}:`);
  for (const fault of faults.slice(0, SHOWN)) console.log(`  ${fault}`);
  if (faults.length > 0) console.log(`Logs: ${stateDirectory}. To inject the same faults again, at other moments: --seed ${command.seed}`);
  if (faults.length === 0) console.log("\nEverything finished exactly once");
  return faults.length === 0;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
