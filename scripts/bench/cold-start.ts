import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { functionsConfig } from "../../infra/local/functions-environment.ts";
import { parseOptions } from "../../infra/local/options.ts";
import { type RunningService, startService } from "../../infra/local/service.ts";
import { provisionCustomer } from "../admin/local/customers.ts";
import { type Bundle, makeBundles } from "../bundle/bundles.ts";
import { functionEntries } from "../bundle/functions.ts";
import { type Asked, requestOf } from "../bundle/sample-requests.ts";
import { fillCodeCache, imageEnvironment, removeFolder, startBundle, unpack } from "../bundle/testing/running-bundle.ts";
import { collectGarbage } from "./collect-garbage.ts";
import { quantile, report } from "./measure.ts";
import { residentMib } from "./process-memory.ts";

const ROUNDS = 11;
/** A function gives back what it has leased within this time. Then it would only wait for late requests, four times as long. */
const STOP_MS_MAX = 50;
/** How many code caches are filled at a time. */
const FILLED_AT_ONCE = 2;
/** How many functions start after each start of the baseline, so that both run under the same load. */
const BETWEEN = 5;
/** An answer of so many characters, a page of the documents, is garbage whose collection would delay the request to the next function by 25 ms. */
const LARGE = 100_000;
const HELLO = {
  name: "hello-world",
  source: `import { http } from "@google-cloud/functions-framework"; http("hello-world", (_request, response) => response.end("hello"));`,
};
/** The most times a hello-world: one as npm installs it, and one bundled alike. Then the most that a function may hold and weigh. */
const BUDGETS = {
  firestoreOnly: { installed: 1.15, bundled: 1.9 },
  others: { installed: 1.4, bundled: 2.4 },
  memoryMib: 110,
  archiveKib: 700,
} as const;
const CLIENT = "@google-cloud/";
const OTHER_CLIENTS = ["bigquery", "iam-credentials", "pubsub", "storage", "tasks"].map((name) => CLIENT + name);

/** What is told of a bundle. Its files are on the disk, and not held: this process collects the less garbage. */
interface Built {
  readonly clients: readonly string[];
  readonly archiveKib: number;
}

interface Started {
  readonly name: string;
  readonly built?: Built;
  readonly folder: string;
  readonly command?: readonly string[];
  readonly asked: Asked;
  /** In milliseconds, by round: one start of a function, several of a baseline. */
  readonly times: number[][];
  /** Resident memory after the first answer, of each start. */
  readonly memoryMib: number[];
  status: number;
}

/**
 * Measures the time from a function's process start to its first answer, against two hello-worlds on the same framework in the same run:
 * one bundled the same way (`ratio`), one as npm installs it (`ratio_installed`). All but that one have the code cache of the image. Requests carry a key and
 * all required members, so that stores and clients are opened. Each ratio is the median of those of the rounds, to the baseline of the same round: a
 * machine may be a tenth slower for a minute.
 */
export async function benchColdStart(): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "populus-bench-"));
  const service = await startService(parseOptions(["--state", state, "--engines", "embedded", "--no-schedule"]), () => undefined);
  await service.filled;
  const started: Started[] = [];
  try {
    const root = fileURLToPath(new URL("../..", import.meta.url));
    const asking = await requests(service);
    for (const bundle of await makeBundles(root, [HELLO, ...functionEntries(root)]))
      started.push({
        name: bundle.name,
        built: builtOf(bundle),
        folder: unpack(bundle.files),
        asked: asking(bundle.name),
        times: [],
        memoryMib: [],
        status: 0,
      });
    const installed = installedHello(root);
    const [hello, ...functions] = started;
    if (!hello) return;
    const unfilled = started.values();
    const fill = async (): Promise<void> => {
      for (const { folder, name } of unfilled) await fillCodeCache(folder, name);
    };
    await Promise.all(Array.from({ length: FILLED_AT_ONCE }, fill));
    started.push(installed);
    for (let round = 0; round < ROUNDS; round++) {
      for (const { times } of started) times.push([]);
      for (const [index, one] of functions.entries()) {
        if (index % BETWEEN === 0) for (const baseline of [hello, installed]) await start(baseline, service.environment);
        await start(one, service.environment);
      }
    }
    for (const one of started) print(one, hello, installed);
  } finally {
    await service.stop();
    for (const { folder } of started) removeFolder(folder);
    rmSync(state, { recursive: true, force: true });
  }
}

/** Creates a hello-world in a folder with installed packages. */
function installedHello(root: string): Started {
  const folder = mkdtempSync(join(tmpdir(), "populus-bench-"));
  writeFileSync(
    join(folder, "index.js"),
    `require("@google-cloud/functions-framework").http("installed", (_request, response) => response.end("hello"));`,
  );
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return {
    name: "installed",
    folder,
    command: ["node_modules/.bin/functions-framework", "--target=installed"],
    asked: { method: "GET", path: "/" },
    times: [],
    memoryMib: [],
    status: 0,
  };
}

/** Returns a request for each function, with a key that has all scopes. */
async function requests({ ready }: RunningService): Promise<(name: string) => Asked> {
  // Points Firestore's client at the same local service as the functions.
  Object.assign(process.env, { FIRESTORE_EMULATOR_HOST: ready.firestore_host });
  const keys = { all: { service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true } } as const;
  const account = { name: "Cold start", countries: ["EST"], defaultCountry: "EST", keys };
  const customer = await provisionCustomer(functionsConfig(ready.project), ready.metadata_host, account);
  // One tick for all starts: the first does its work, and the others find it done.
  const headers = { "x-api-key": customer.keys.all ?? "", "x-cloudscheduler-scheduletime": new Date().toISOString() };
  return (name) => ({ ...requestOf(name, customer.uid), headers });
}

async function start(one: Started, environment: Readonly<Record<string, string>>): Promise<void> {
  const startedAt = performance.now();
  const image = one.built ? imageEnvironment(one.folder) : {};
  const bundle = await startBundle(one.folder, one.name, { ...environment, ...image }, one.command);
  try {
    const { status, text } = await bundle.ask(one.asked);
    one.times.at(-1)?.push(performance.now() - startedAt);
    one.memoryMib.push(residentMib(bundle.pid));
    one.status = status;
    if (text.length > LARGE) collectGarbage();
  } finally {
    await bundle.stop(STOP_MS_MAX);
  }
}

function print(one: Started, hello: Started, installed: Started): void {
  const { name, built, memoryMib, status } = one;
  const times = one.times.flat();
  const measured = { bundled: ratioOf(one, hello), installed: ratioOf(one, installed), memoryMib: quantile(memoryMib, 0.5) };
  report({
    bench: "cold-start",
    function: name,
    status,
    runs: times.length,
    ms: quantile(times, 0.5),
    worst_ms: Math.max(...times),
    baseline_ms: quantile(hello.times.flat(), 0.5),
    ratio: measured.bundled,
    installed_baseline_ms: quantile(installed.times.flat(), 0.5),
    ratio_installed: measured.installed,
    memory_mib: measured.memoryMib,
    ...(built && name !== HELLO.name ? judge(built, measured) : {}),
  });
}

function ratioOf(one: Started, baseline: Started): number {
  const ratios = one.times.map((times, round) => quantile(times, 0.5) / quantile(baseline.times[round] ?? [], 0.5));
  return quantile(ratios, 0.5);
}

interface Measured {
  readonly bundled: number;
  readonly installed: number;
  readonly memoryMib: number;
}

/** The archive is that of a bundle's files, each compressed by itself. */
function builtOf({ packages, files }: Bundle): Built {
  return {
    clients: packages.map(([client]) => client).filter((client) => client.startsWith(CLIENT)),
    archiveKib: [...files.values()].reduce((sum, content) => sum + gzipSync(content).length, 0) / 1024,
  };
}

/** A function's budgets, and which of them it does not meet. */
function judge({ clients, archiveKib }: Built, { bundled, installed, memoryMib }: Measured): object {
  const isOther = clients.some((client) => OTHER_CLIENTS.includes(client));
  const budget = isOther ? BUDGETS.others : BUDGETS.firestoreOnly;
  const faults = [
    bundled > budget.bundled ? "time of the bundled hello-world" : "",
    installed > budget.installed ? "time of the installed hello-world" : "",
    memoryMib > BUDGETS.memoryMib ? "memory" : "",
    archiveKib > BUDGETS.archiveKib ? "archive" : "",
  ].filter((fault) => fault !== "");
  return {
    archive_kib: archiveKib,
    clients: clients.map((client) => client.slice(CLIENT.length)),
    budget_ratio: budget.bundled,
    budget_ratio_installed: budget.installed,
    budget_memory_mib: BUDGETS.memoryMib,
    budget_archive_kib: BUDGETS.archiveKib,
    met: faults.length === 0,
    ...(faults.length > 0 ? { not_met: faults.join(", ") } : {}),
  };
}
