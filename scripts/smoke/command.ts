import { setTimeout as wait } from "node:timers/promises";
import { printTable } from "../table.ts";
import { SMOKE_USAGE } from "../usage.ts";
import { readArguments, type Wanted } from "./arguments.ts";
import type { ProbedRow } from "./probes.ts";

const PAUSE_MS = 10_000;

function faultsOf(rows: readonly ProbedRow[]): string[] {
  return rows.flatMap(({ request, noKey, withKey, otherMethod }) =>
    Object.entries({ "without a key": noKey, "with the key": withKey, "by another method": otherMethod }).flatMap(([how, outcome]) =>
      outcome?.fault === undefined ? [] : [`${request} ${how}: ${outcome.fault}`],
    ),
  );
}

async function smoke({ bases, key, patienceMs, isJourney, objects }: Wanted): Promise<void> {
  // Loading the catalogue takes a second, which --help need not wait for.
  const [{ probe }, { journey }] = await Promise.all([import("./probes.ts"), import("./journey.ts")]);
  const ask = () => (isJourney && key !== undefined ? journey({ bases, key, objects }) : probe(bases, key));
  const until = Date.now() + patienceMs;
  let rows = await ask();
  while (faultsOf(rows).length > 0 && Date.now() < until) {
    console.log(`${faultsOf(rows).length} answers are wrong; retrying`);
    await wait(Math.min(PAUSE_MS, until - Date.now()));
    rows = await ask();
  }
  printTable(
    rows.map(({ name, request, noKey, withKey, otherMethod }) => ({
      function: name,
      request,
      "no key": noKey?.said ?? "",
      "with key": withKey?.said ?? "",
      "other method": otherMethod?.said ?? "",
    })),
  );
  const faults = faultsOf(rows);
  for (const fault of faults) console.error(fault);
  if (key === undefined) console.log("SMOKE_KEY is not set: tested without a key only");
  console.log(faults.length === 0 ? `All ${rows.length} answers are correct` : `${faults.length} answers are wrong`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

/** Runs the command with the arguments of its command line. Sets the exit code: 1 for wrong answers, 2 for wrong arguments. */
export async function smokeCommand(args: readonly string[]): Promise<void> {
  const wanted = readArguments(args, process.env.SMOKE_KEY);
  if (wanted === "help") process.stdout.write(SMOKE_USAGE);
  else if ("wrong" in wanted) {
    console.error(`${wanted.wrong}\n\n${SMOKE_USAGE}`);
    process.exitCode = 2;
  } else await smoke(wanted);
}
