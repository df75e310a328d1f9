import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseOptions } from "../../infra/local/options.ts";
import { startService } from "../../infra/local/service.ts";
import { quantile, report, timed } from "./measure.ts";

const RUNS = 5;
const DEMOS = 2;
/** The most milliseconds until the service stands, by its engines; with a sample of scale 10; and of a demo, without npm's install. */
const BUDGETS_MS = { embedded: 2000, "google-emulator": 3000, scaled: 10_000, demo: 35_000 } as const;
const SCALE = "10";
/** As a user has it: a start sets variables of its own. */
const ENVIRONMENT = { ...process.env };

/**
 * Measures the time from start to ready, against a Node process that only loads the same clients: with the embedded engines, with Google's
 * emulators where these are installed, and with a sample of scale 10. Then that of `./scripts/demo`.
 */
export async function benchStart(): Promise<void> {
  await measureStart("embedded", ["--engines", "embedded"], RUNS);
  await measureStart("auto", ["--engines", "auto"], RUNS);
  await measureStart(`embedded, --scale ${SCALE}`, ["--engines", "embedded", "--scale", SCALE], 2, BUDGETS_MS.scaled);
  await measureDemo();
}

async function measureStart(what: string, options: readonly string[], runs: number, budgetMs?: number): Promise<void> {
  const clients = ["firestore", "tasks", "pubsub", "storage", "bigquery", "iam-credentials"]
    .map((name) => `import "@google-cloud/${name}";`)
    .join("");
  const ready: number[] = [];
  const baseline: number[] = [];
  let engines: "embedded" | "google-emulator" = "embedded";
  for (let run = 0; run < runs; run++) {
    baseline.push(await timed(async () => spawnSync("node", ["--input-type=module", "-e", clients])));
    const state = mkdtempSync(join(tmpdir(), "populus-bench-"));
    let stop = async (): Promise<void> => undefined;
    ready.push(
      await timed(async () => {
        const service = await startService(parseOptions(["--state", state, ...options]), () => undefined);
        stop = service.stop;
        if (service.ready.engines.firestore === "google-emulator") engines = "google-emulator";
      }),
    );
    await stop();
    rmSync(state, { recursive: true, force: true });
  }
  const [median, base] = [quantile(ready, 0.5), quantile(baseline, 0.5)];
  const budget = budgetMs ?? BUDGETS_MS[engines];
  report({
    bench: "start",
    what: `start to ready, ${what}`,
    engine: engines,
    runs,
    ready_ms: median,
    worst_ms: Math.max(...ready),
    baseline_ms: base,
    budget_ms: budget,
    ratio: median / base,
    met: median <= budget,
  });
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
    const child = spawn("bash", [join(root, "scripts/demo"), "--state", state], { cwd: root, stdio: "ignore", env: ENVIRONMENT });
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`./scripts/demo ended with ${code}`))));
  });
}
