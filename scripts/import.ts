import { parseArguments, USAGE } from "./import/arguments.ts";
import { messageOf } from "./import/import-error.ts";
import { runImport } from "./import/run.ts";

/** `npm run import -- TABLE --file F …`: loads a file into a table of the warehouse. */
async function main(): Promise<void> {
  const request = parseArguments(process.argv.slice(2));
  if (request) await runImport(request, (line) => console.log(line), new Date());
  else process.stdout.write(USAGE);
}

// An immediate exit still removes the temporary files. The warehouse commits or rolls back a running load by itself.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));
try {
  await main();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
