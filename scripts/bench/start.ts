import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseOptions } from "../../infra/local/options.ts";
import { startService } from "../../infra/local/service.ts";
import { quantile, report, timed } from "./measure.ts";

const RUNS = 5;
const BUDGET_MS = 5000;

/** Measures the time from start to ready, against a Node process that only loads the same clients. */
export async function benchStart(): Promise<void> {
  const clients = ["firestore", "tasks", "pubsub", "storage", "bigquery", "iam-credentials"]
    .map((name) => `import "@google-cloud/${name}";`)
    .join("");
  for (const engines of ["embedded", "auto"]) {
    const ready: number[] = [];
    const baseline: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      baseline.push(await timed(async () => spawnSync("node", ["--input-type=module", "-e", clients])));
      const state = mkdtempSync(join(tmpdir(), "populus-bench-"));
      const options = parseOptions(["--state", state, "--engines", engines]);
      let stop = async (): Promise<void> => undefined;
      ready.push(await timed(async () => ({ stop } = await startService(options, () => undefined))));
      await stop();
      rmSync(state, { recursive: true, force: true });
    }
    const [median, base] = [quantile(ready, 0.5), quantile(baseline, 0.5)];
    report({
      bench: "start",
      engines,
      runs: RUNS,
      ready_ms: median,
      worst_ms: Math.max(...ready),
      budget_ms: BUDGET_MS,
      baseline_ms: base,
      ratio: median / base,
    });
  }
}
