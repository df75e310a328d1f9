import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStateDatabase, type StateDatabase } from "../../infra/local/persistence/state-database.ts";
import { concurrently, quantile, report, timed } from "./measure.ts";

const COMMITS = 4000;
const CLIENTS = [1, 32];
const RUNS = 5;
const VALUE = Buffer.alloc(1000, 1);

type Commit = (database: StateDatabase, changes: ReadonlyMap<string, Uint8Array>) => Promise<void> | void;

const ONE_A_TURN: Commit = (database, changes) => database.commit(() => ({ changes, apply: () => undefined }));
const ONE_A_CHANGE: Commit = (database, changes) => database.commitNow(changes);

/** Measures changes of two documents by concurrent clients: one COMMIT a turn of the event loop, against one COMMIT a change. */
export async function benchCommits(): Promise<void> {
  for (const clients of CLIENTS) {
    const runs = [];
    for (let run = 0; run < RUNS; run++)
      runs.push({ turn: await measure(ONE_A_TURN, clients), change: await measure(ONE_A_CHANGE, clients) });
    const turn = middle(runs.map((run) => run.turn));
    const change = middle(runs.map((run) => run.change));
    report({ clients, turn, change, ratio: turn.commits_per_s / change.commits_per_s });
  }
}

async function measure(commit: Commit, clients: number) {
  const directory = mkdtempSync(join(tmpdir(), "populus-bench-"));
  const { database } = openStateDatabase({ directory, product: "bench" });
  try {
    const times: number[] = [];
    const elapsed = await timed(() =>
      concurrently(COMMITS, clients, async (index) => {
        const changes = new Map([0, 1].map((part) => [`projects/p/databases/d/documents/a/${index}/b/${part}`, VALUE]));
        times.push(await timed(async () => commit(database, changes)));
      }),
    );
    return { commits_per_s: (COMMITS / elapsed) * 1000, p50_ms: quantile(times, 0.5), p99_ms: quantile(times, 0.99) };
  } finally {
    database.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns the run of the median throughput. */
function middle<Run extends { readonly commits_per_s: number }>(runs: readonly Run[]): Run {
  const sorted = runs.toSorted((a, b) => a.commits_per_s - b.commits_per_s);
  const run = sorted[sorted.length >>> 1];
  if (run === undefined) throw new Error("Nothing was measured");
  return run;
}
