import { benchColdStart } from "./bench/cold-start.ts";
import { benchCoverage } from "./bench/coverage.ts";
import { benchExport } from "./bench/export.ts";
import { benchJobs } from "./bench/jobs.ts";
import { benchOverload } from "./bench/overload.ts";
import { benchPreview } from "./bench/preview.ts";
import { benchStart } from "./bench/start.ts";
import { benchTick } from "./bench/tick.ts";
import { BENCH_USAGE, type BENCHMARKS } from "./usage.ts";

/** `npm run bench -- NAME` runs one benchmark. Each prints JSON lines with the ratio to a baseline measured in the same run. */
const benchmarks: Readonly<Record<keyof typeof BENCHMARKS, () => Promise<void>>> = {
  "cold-start": benchColdStart,
  coverage: benchCoverage,
  export: benchExport,
  jobs: benchJobs,
  overload: benchOverload,
  preview: benchPreview,
  start: benchStart,
  tick: benchTick,
};

const name = process.argv[2] ?? "";
const benchmark = new Map<string, () => Promise<void>>(Object.entries(benchmarks)).get(name);
if (benchmark) await benchmark();
else if (name === "--help" || name === "-h") process.stdout.write(BENCH_USAGE);
else {
  console.error(`There is no benchmark ${JSON.stringify(name)}\n\n${BENCH_USAGE}`);
  process.exitCode = 1;
}
