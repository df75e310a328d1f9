import { benchColdStart } from "./bench/cold-start.ts";
import { benchCommits } from "./bench/commits.ts";
import { benchCoverage } from "./bench/coverage.ts";
import { benchExport } from "./bench/export.ts";
import { benchJobs } from "./bench/jobs.ts";
import { benchOverload } from "./bench/overload.ts";
import { benchPreview } from "./bench/preview.ts";
import { benchStart } from "./bench/start.ts";
import { benchTick } from "./bench/tick.ts";

/** `npm run bench -- NAME` runs one benchmark. Each prints JSON lines with the ratio to a baseline measured in the same run. */
const benchmarks: Readonly<Record<string, () => Promise<void>>> = {
  "cold-start": benchColdStart,
  commits: benchCommits,
  coverage: benchCoverage,
  export: benchExport,
  jobs: benchJobs,
  overload: benchOverload,
  preview: benchPreview,
  start: benchStart,
  tick: benchTick,
};

const name = process.argv[2] ?? "";
const benchmark = benchmarks[name];
if (benchmark) await benchmark();
else {
  console.error(`Usage: npm run bench -- NAME, where NAME is one of ${Object.keys(benchmarks).join(", ")}`);
  process.exitCode = 1;
}
