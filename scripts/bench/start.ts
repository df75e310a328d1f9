import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { quantile, report, timed } from "./measure.ts";
import { runStart } from "./started-command.ts";

/** The fewest with a median that one bad run does not move. */
const RUNS = 3;
const SCALED_RUNS = 1;
const DEMOS = 1;
/** The most milliseconds until the service is ready, by its engines; until a sample of scale 10 is complete; and of a demo, without npm's install. */
const BUDGETS_MS = { embedded: 2000, "google-emulator": 3000, scaled: 10_000, demo: 35_000 } as const;
const SCALE = "10";
/** What the command says. */
const READY = "Ready after";
const COMPLETE = "The sample data is complete";

/**
 * Measures the time from `./scripts/start` to ready, to the answer of the README's first preview and to the complete sample, against a Node process
 * that only loads the same clients: with the embedded engines, with Google's emulators where these are installed, and with a sample of scale 10.
 * Then that of `./scripts/demo`. Of the starts with Google's emulators, the first in a clone is without the archive of their classes.
 */
export async function benchStart(): Promise<void> {
  await measureStart("embedded", ["--engines", "embedded"], RUNS);
  await measureStart("auto", ["--engines", "auto"], RUNS);
  await measureStart(`embedded, --scale ${SCALE}`, ["--engines", "embedded", "--scale", SCALE], SCALED_RUNS, BUDGETS_MS.scaled);
  await measureDemo();
}

async function measureStart(what: string, options: readonly string[], runs: number, budgetMs?: number): Promise<void> {
  const clients = ["firestore", "tasks", "pubsub", "storage", "bigquery", "iam-credentials"]
    .map((name) => `import "@google-cloud/${name}";`)
    .join("");
  const ready: number[] = [];
  const preview: number[] = [];
  const filled: number[] = [];
  const baseline: number[] = [];
  let engines: "embedded" | "google-emulator" = "embedded";
  for (let run = 0; run < runs; run++) {
    baseline.push(await timed(async () => spawnSync("node", ["--input-type=module", "-e", clients])));
    const command = runStart(options);
    try {
      ready.push(await command.said(READY));
      const service = command.ready();
      engines = service.engines.firestore;
      await firstPreview(service.data_base_url, service.customers[0]?.keys.storage ?? "");
      preview.push(command.elapsed());
      filled.push(await command.said(COMPLETE));
    } finally {
      await command.stop();
    }
  }
  const [median, base] = [quantile(ready, 0.5), quantile(baseline, 0.5)];
  const budget = budgetMs ?? BUDGETS_MS[engines];
  const complete = quantile(filled, 0.5);
  report({
    bench: "start",
    what: `./scripts/start to ${budgetMs === undefined ? "ready" : "complete sample"}, ${what}`,
    engine: engines,
    runs,
    ready_ms: median,
    worst_ms: Math.max(...ready),
    first_preview_ms: quantile(preview, 0.5),
    sample_ms: complete,
    baseline_ms: base,
    budget_ms: budget,
    ratio: median / base,
    met: (budgetMs === undefined ? median : complete) <= budget,
  });
}

/** Asks for the preview that the README asks for first. Throws an Error if the answer has no rows. */
async function firstPreview(base: string, key: string): Promise<void> {
  const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  const query = `agg_type=flow&lat=59.437&lon=24.7454&start_time=${day}T07:00:00Z&end_time=${day}T08:00:00Z`;
  const response = await fetch(`${base}/data-agg?${query}`, { headers: { "x-api-key": key } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`The first preview answered ${response.status}: ${text}`);
  const { results } = v.parse(v.object({ results: v.array(v.unknown()) }), JSON.parse(text));
  if (results.length === 0) throw new Error("The first preview has no rows");
}

async function measureDemo(): Promise<void> {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const times: number[] = [];
  for (let run = 0; run < DEMOS; run++) {
    const state = mkdtempSync(join(tmpdir(), "populus-bench-"));
    times.push(await timed(() => demo(root, state)));
    rmSync(state, { recursive: true, force: true });
  }
  const median = quantile(times, 0.5);
  report({
    bench: "start",
    what: "./scripts/demo, packages installed",
    runs: DEMOS,
    took_ms: median,
    worst_ms: Math.max(...times),
    budget_ms: BUDGETS_MS.demo,
    ratio: median / BUDGETS_MS.demo,
    met: median <= BUDGETS_MS.demo,
  });
}

function demo(root: string, state: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", [join(root, "scripts/demo"), "--state", state], { cwd: root, stdio: "ignore" });
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`./scripts/demo ended with ${code}`))));
  });
}
