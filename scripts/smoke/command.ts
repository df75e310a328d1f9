import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import { parseCommandLine } from "../command-line.ts";
import { printTable } from "../table.ts";
import { SMOKE_USAGE } from "../usage.ts";
import type { Bases, ProbedRow } from "./probes.ts";

const PAUSE_MS = 10_000;

const Urls = v.object({ users: v.string(), data: v.string() });
const Outputs = v.object({ base_urls: Urls, candidate_base_urls: v.nullish(Urls) });

interface Wanted {
  readonly bases: Bases;
  readonly patienceMs: number;
  readonly isJourney: boolean;
  readonly objects: string | undefined;
}

/** Returns what to test, "help", or what is wrong. */
function readArguments(args: readonly string[]): Wanted | "help" | { readonly wrong: string } {
  try {
    const options = {
      users: { type: "string" },
      data: { type: "string" },
      outputs: { type: "string" },
      candidate: { type: "boolean" },
      journey: { type: "boolean" },
      objects: { type: "string" },
      patience: { type: "string" },
      help: { type: "boolean", short: "h" },
    } as const;
    const {
      users,
      data,
      outputs,
      candidate = false,
      journey = false,
      objects,
      patience = "0",
      help = false,
    } = parseCommandLine({ args: [...args], options }).values;
    if (help) return "help";
    const given = outputs === undefined ? { users, data } : urlsIn(outputs, candidate);
    if (given === undefined) return { wrong: `${outputs} has no candidate_base_urls: set candidate_hosts` };
    if (given.users === undefined || given.data === undefined) return { wrong: "The base URLs of both APIs are required" };
    if (!/^\d+$/.test(patience)) return { wrong: `--patience ${patience} is not a number of seconds` };
    if (journey && !process.env.SMOKE_KEY) return { wrong: "--journey needs the key SMOKE_KEY" };
    return {
      isJourney: journey,
      objects,
      bases: { users: bare(given.users), data: bare(given.data) },
      patienceMs: 1000 * Number(patience),
    };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }
}

function urlsIn(outputs: string, candidate: boolean): Bases | undefined {
  const parsed = v.parse(v.pipe(v.string(), v.parseJson(), Outputs), readFileSync(outputs, "utf8"));
  return candidate ? (parsed.candidate_base_urls ?? undefined) : parsed.base_urls;
}

function bare(url: string): string {
  return new URL(url).href.replace(/\/+$/, "");
}

function faultsOf(rows: readonly ProbedRow[]): string[] {
  return rows.flatMap(({ request, noKey, withKey, otherMethod }) =>
    Object.entries({ "without a key": noKey, "with the key": withKey, "by another method": otherMethod }).flatMap(([how, outcome]) =>
      outcome?.fault === undefined ? [] : [`${request} ${how}: ${outcome.fault}`],
    ),
  );
}

async function smoke({ bases, patienceMs, isJourney, objects }: Wanted): Promise<void> {
  // Loading the catalogue takes a second, which --help need not wait for.
  const [{ probe }, { journey }] = await Promise.all([import("./probes.ts"), import("./journey.ts")]);
  const key = process.env.SMOKE_KEY || undefined;
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
  const wanted = readArguments(args);
  if (wanted === "help") process.stdout.write(SMOKE_USAGE);
  else if ("wrong" in wanted) {
    console.error(`${wanted.wrong}\n\n${SMOKE_USAGE}`);
    process.exitCode = 2;
  } else await smoke(wanted);
}
