import { messageOf } from "../shared/runtime/error-message.ts";
import { parseFuzzCommand, USAGE } from "./fuzz/options.ts";

/** Runs `npm run fuzz` against a separate service. Returns whether nothing was found. */
async function main(): Promise<boolean> {
  const command = parseFuzzCommand(process.argv.slice(2));
  if (command.help) {
    process.stdout.write(USAGE);
    return true;
  }
  // Loading the service takes seconds, which --help need not wait for.
  const { runPhases } = await import("./fuzz/run.ts");
  const findings = await runPhases(command);
  console.log(findings === 0 ? "\nNo findings" : `\n${findings} findings; to reproduce: --seed ${command.seed}`);
  return findings === 0;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
