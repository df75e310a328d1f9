import { clients, quickClients } from "../infra/testing/clients/catalogue.ts";
import type { Client } from "../infra/testing/clients/client.ts";
import type { CheckResult } from "../infra/testing/clients/run-clients.ts";
import { messageOf } from "../shared/runtime/error-message.ts";
import { missingClients } from "./clients/missing.ts";
import { type ClientsCommand, parseClientsCommand, USAGE } from "./clients/options.ts";
import { reportOf } from "./clients/report.ts";
import { printTable } from "./table.ts";

const SAMPLE = ["--days", "14"];

/** Runs `npm run clients`. Returns whether every client that is there works. */
async function main(): Promise<boolean> {
  const command = parseClientsCommand(
    process.argv.slice(2),
    clients.map(({ name }) => name),
  );
  if (command.help) {
    process.stdout.write(USAGE);
    return true;
  }
  if (command.list) {
    console.log(clients.map(({ name }) => name).join("\n"));
    return true;
  }
  const runnable = command.quick ? quickClients : clients;
  const slow = command.names.filter((name) => !runnable.some((client) => client.name === name));
  if (slow.length > 0) throw new Error(`Without a quick check: ${slow.join(", ")}. Leave --quick out to run them`);
  const asked = runnable.filter(({ name }) => command.names.length === 0 || command.names.includes(name));
  const found: Client[] = [];
  const missing: string[] = [];
  for (const client of asked) {
    const lines = await missingClients([client]);
    if (lines.length === 0) found.push(client);
    missing.push(...lines);
  }
  const results = await run(found, command);
  const failed = results.filter(({ failure }) => failure !== undefined);
  for (const { client, check, failure } of failed) console.log(`\n${client}, ${check}:\n${failure}`);
  console.log();
  printTable(
    results.map(({ client, check, seconds, failure }) => ({
      client,
      check,
      result: failure === undefined ? "pass" : "FAIL",
      seconds: Number(seconds.toFixed(1)),
    })),
  );
  const named = command.names.length > 0;
  const { lines, succeeded } = reportOf({ found: found.map(({ name }) => name), missing, named, results });
  console.log(lines.join("\n"));
  return succeeded;
}

/** Runs the checks one after another against one service. */
async function run(found: readonly Client[], { quick }: ClientsCommand): Promise<CheckResult[]> {
  if (found.length === 0) return [];
  console.log("Starting a service …");
  // Loading the service takes seconds, which --help need not wait for.
  const { runCheck, startForClients } = await import("../infra/testing/clients/run-clients.ts");
  const { context, stop } = await startForClients(SAMPLE);
  try {
    const results: CheckResult[] = [];
    for (const client of found)
      for (const check of client.checks.filter((one) => one.quick || !quick)) {
        const result = await runCheck(client, check, context);
        console.log(`${client.name}, ${check.name}: ${result.failure === undefined ? "pass" : "FAIL"}`);
        results.push(result);
      }
    return results;
  } finally {
    await stop();
  }
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
