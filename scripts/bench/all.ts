import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { benchmarksPage } from "./benchmarks-page.ts";
import { type BenchRow, type BenchRun, benchmarkNames, readRecord, recordText, withRun } from "./benchmarks-record.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PAGE = "infra/generated/benchmarks.md";
const RECORD = "infra/generated/benchmarks.json";
/** Options with which a benchmark ends within its share of a quarter of an hour. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  export: ["--rows", "10000000", "--text-rows", "2000000"],
  preview: ["--days", "60"],
  publish: ["--scale", "5"],
};
/** A benchmark that hangs ends after ten minutes, and the next one follows. */
const RUN_MS_MAX = 10 * 60_000;
/** How long a benchmark may take to stop its service. */
const STOP_MS_MAX = 10_000;
/** The last lines of errors that are kept to say why a benchmark failed. */
const KEPT_LINES = 60;
const Row = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));

/**
 * Runs all benchmarks, or those of these names, one after the other, each in a process of its own. After each it renews its part of the page and of the
 * record that the page is made from. One that fails keeps the rows that it printed. Throws for a name that there is not.
 */
export async function benchAll(names: readonly string[]): Promise<void> {
  const known = benchmarkNames();
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`There is no benchmark ${JSON.stringify(unknown)}`);
  const wanted = names.length === 0 ? known : known.filter((name) => names.includes(name));
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interruption.abort());
  // Before the first is written: that would count as a change.
  const commit = commitOf();
  for (const [index, name] of wanted.entries()) {
    const count = `${index + 1}/${wanted.length} ${name}`;
    console.error(`${count} …`);
    const run = { ...describeMachine(), commit, ...(await runOne(name, interruption.signal)) };
    if (interruption.signal.aborted) throw new Error(`Interrupted during ${name}, whose part of ${PAGE} stays as it was`);
    const record = withRun(readRecord(`${ROOT}/${RECORD}`), name, run, known);
    writeFileSync(`${ROOT}/${RECORD}`, recordText(record));
    writeFileSync(`${ROOT}/${PAGE}`, benchmarksPage(record, known));
    const missed = run.rows.filter(({ met }) => met === false).length;
    const failed = run.failure === undefined ? "" : `; ${run.failure}`;
    console.error(`${count}: ${run.rows.length} rows, ${missed} not met, ${Math.round(run.seconds)} s${failed}`);
    if (run.failure !== undefined) process.exitCode = 1;
  }
  console.error(`Wrote ${PAGE}`);
}

async function runOne(name: string, interruption: AbortSignal): Promise<Pick<BenchRun, "seconds" | "rows" | "failure">> {
  const start = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, `${ROOT}/scripts/bench.ts`, name, ...(OPTIONS[name] ?? [])], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const rows: BenchRow[] = [];
  const errors: string[] = [];
  const out = createInterface({ input: child.stdout });
  out.on("line", (line) => {
    const row = v.safeParse(Row, line);
    if (!row.success) return;
    rows.push(row.output);
    console.log(line);
  });
  createInterface({ input: child.stderr }).on("line", (line) => errors.push(...errors.splice(0).slice(1 - KEPT_LINES), line));
  const timer = setTimeout(() => end(child), RUN_MS_MAX);
  const closed = new Promise<string | undefined>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code === 0 ? undefined : why(errors, signal ?? `exit code ${code}`)));
  });
  const interrupted = (): void => end(child);
  interruption.addEventListener("abort", interrupted);
  const failure = await closed;
  interruption.removeEventListener("abort", interrupted);
  clearTimeout(timer);
  return { seconds: (performance.now() - start) / 1000, rows, ...(failure === undefined ? {} : { failure }) };
}

/** Ends a benchmark. Its service ends with it. */
function end(child: ChildProcess): void {
  child.kill("SIGTERM");
  setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX).unref();
}

/** Returns the line of an error's message, else how the process ended. */
function why(errors: readonly string[], ended: string): string {
  const message = errors.find((line) => /^\w*Error\b.*: /.test(line));
  return message === undefined ? ended : `${ended}: ${message}`;
}

function describeMachine(): Omit<BenchRun, "commit" | "seconds" | "rows" | "failure"> {
  const processors = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    processors: `${processors.length} × ${processors[0]?.model.trim() ?? "unknown"}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    node: process.version,
    load: loadavg()[0]?.toFixed(1) ?? "–",
  };
}

/** Returns the commit, and whether the checkout has other changes than these benchmarks. */
function commitOf(): string {
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
  const isChanged = git("status", "--porcelain", "--", ".", `:!${PAGE}`, `:!${RECORD}`) !== "";
  return `${git("rev-parse", "--short", "HEAD")}${isChanged ? ", with changes" : ""}`;
}
