import { messageOf } from "./error-message.ts";
import { parseArguments, USAGE } from "./import/arguments.ts";

/** `npm run import -- TABLE --file F …`: loads a file into a table of the warehouse. */
async function main(): Promise<void> {
  const request = parseArguments(process.argv.slice(2));
  if (!request) return void process.stdout.write(USAGE);
  // Loading the engine takes half a second, which --help and wrong options need not wait for.
  const { runImport } = await import("./import/run.ts");
  await runImport(request, (line) => console.log(line), new Date());
}

// An immediate exit still removes the temporary files. The warehouse commits or rolls back a running load by itself.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));
try {
  await main();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
