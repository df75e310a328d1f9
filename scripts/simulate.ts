import type { Subject } from "../infra/testing/simulation/simulations.ts";
import { messageOf } from "../shared/runtime/error-message.ts";
import { parseSimulateCommand, type SimulateCommand, USAGE } from "./simulate/options.ts";

/** Runs `npm run simulate`. Returns whether every invariant held. */
async function main(): Promise<boolean> {
  const command = parseSimulateCommand(process.argv.slice(2));
  if (command.help) {
    process.stdout.write(USAGE);
    return true;
  }
  // Loading what is simulated takes seconds, which --help need not wait for.
  if (command.mutants) return (await import("./simulate/mutants.ts")).showMutants(command);
  const { replay } = await import("./simulate/show.ts");
  let isKept = true;
  for (const subject of command.subjects)
    isKept = (await (command.replay === undefined ? run(subject, command) : replay(subject, command.replay))) && isKept;
  return isKept;
}

async function run(subject: Subject, { seed, schedules, workers, json }: SimulateCommand): Promise<boolean> {
  const [{ runChunks }, { replay, showCounts }] = await Promise.all([import("./simulate/run-chunks.ts"), import("./simulate/show.ts")]);
  const startedAt = performance.now();
  const onProgress = ({ schedules: done }: { readonly schedules: number }): void => {
    if (process.stderr.isTTY && !json) process.stderr.write(`\r${subject}: ${done} of ${schedules} schedules`);
  };
  const tally = await runChunks({ subject, seed, schedules, workers, onProgress });
  if (json) {
    console.log(JSON.stringify(tally));
    return true;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  if (process.stderr.isTTY) process.stderr.write("\r");
  console.log(
    `${subject}: ${tally.schedules} schedules from seed ${seed}, in ${seconds.toFixed(1)} s (${Math.round(tally.schedules / seconds)} per second)`,
  );
  showCounts(tally);
  if (!tally.failure) {
    console.log("No invariant was violated");
    return true;
  }
  console.log();
  await replay(subject, tally.failure.seed);
  console.log(`To replay: npm run simulate -- --what ${subject} --replay ${tally.failure.seed}`);
  return false;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
