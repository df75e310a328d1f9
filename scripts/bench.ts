import { benchColdStart } from "./bench/cold-start.ts";
import { benchCommits } from "./bench/commits.ts";
import { benchCoverage } from "./bench/coverage.ts";
import { benchExport, EXPORT_OPTIONS } from "./bench/export.ts";
import { benchJobs } from "./bench/jobs.ts";
import { benchMap } from "./bench/map.ts";
import { benchOverload } from "./bench/overload.ts";
import { benchPreview, PREVIEW_OPTIONS } from "./bench/preview.ts";
import { benchStart } from "./bench/start.ts";
import { benchTick } from "./bench/tick.ts";
import { parseCommandLine } from "./command-line.ts";
import { BENCH_USAGE, type BENCHMARKS } from "./usage.ts";

/** Runs a benchmark with the arguments after its name. */
type Run = (args: readonly string[]) => Promise<void>;

const benchmarks: Readonly<Record<keyof typeof BENCHMARKS, Run>> = {
  "cold-start": plain(benchColdStart),
  commits: plain(benchCommits),
  coverage: plain(benchCoverage),
  export: (args) => benchExport(parseCommandLine({ args, options: EXPORT_OPTIONS }).values),
  jobs: plain(benchJobs),
  map: plain(benchMap),
  overload: plain(benchOverload),
  preview: (args) => benchPreview(parseCommandLine({ args, options: PREVIEW_OPTIONS }).values),
  start: plain(benchStart),
  tick: plain(benchTick),
};

/** A benchmark without options. */
function plain(work: () => Promise<void>): Run {
  return (args) => {
    parseCommandLine({ args, options: {} });
    return work();
  };
}

/** `npm run bench -- NAME` runs one benchmark. Each prints JSON lines with the ratio to a baseline measured in the same run. */
function main(args: readonly string[]): Promise<void> {
  const [name, ...rest] = args;
  if (args.some((argument) => argument === "--help" || argument === "-h")) {
    process.stdout.write(BENCH_USAGE);
    return Promise.resolve();
  }
  if (name === undefined) throw new Error("Which benchmark?");
  const run = new Map<string, Run>(Object.entries(benchmarks)).get(name);
  if (!run) throw new Error(`There is no benchmark ${JSON.stringify(name)}`);
  return run(rest);
}

let running: Promise<void>;
try {
  running = main(process.argv.slice(2));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${BENCH_USAGE}`);
  process.exit(2);
}
// The errors of a benchmark keep their stack: it says what was being measured.
await running;
