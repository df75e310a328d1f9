import { messageOf } from "../shared/runtime/error-message.ts";
import { parseCommandLine } from "./command-line.ts";
import { BENCH_USAGE, type BENCHMARKS } from "./usage.ts";

/** Reads the arguments after a benchmark's name. Returns how to run it. */
type Prepare = (args: readonly string[]) => () => Promise<void>;

/** Each is loaded when it is asked for: loading all of them takes seconds. */
const benchmarks: Readonly<Record<keyof typeof BENCHMARKS, () => Promise<Prepare>>> = {
  all: async () => {
    const { benchAll } = await import("./bench/all.ts");
    return (args) => {
      const { positionals } = parseCommandLine({ args, options: {}, allowPositionals: true });
      return () => benchAll(positionals);
    };
  },
  "cold-start": async () => plain((await import("./bench/cold-start.ts")).benchColdStart),
  commits: async () => plain((await import("./bench/commits.ts")).benchCommits),
  console: async () => plain((await import("./bench/console.ts")).benchConsole),
  cost: async () => plain((await import("./bench/cost.ts")).benchCost),
  coverage: async () => plain((await import("./bench/coverage.ts")).benchCoverage),
  export: async () => {
    const { benchExport, EXPORT_OPTIONS } = await import("./bench/export.ts");
    return (args) => {
      const { values } = parseCommandLine({ args, options: EXPORT_OPTIONS });
      return () => benchExport(values);
    };
  },
  growth: async () => plain((await import("./bench/growth.ts")).benchGrowth),
  import: async () => {
    const { benchImport, IMPORT_OPTIONS } = await import("./bench/import.ts");
    return (args) => {
      const { values } = parseCommandLine({ args, options: IMPORT_OPTIONS });
      return () => benchImport(values);
    };
  },
  jobs: async () => plain((await import("./bench/jobs.ts")).benchJobs),
  map: async () => plain((await import("./bench/map.ts")).benchMap),
  overload: async () => plain((await import("./bench/overload.ts")).benchOverload),
  preview: async () => {
    const { benchPreview, PREVIEW_OPTIONS } = await import("./bench/preview.ts");
    return (args) => {
      const { values } = parseCommandLine({ args, options: PREVIEW_OPTIONS });
      return () => benchPreview(values);
    };
  },
  publish: async () => {
    const { benchPublish, PUBLISH_OPTIONS } = await import("./bench/publish.ts");
    return (args) => {
      const { values } = parseCommandLine({ args, options: PUBLISH_OPTIONS });
      return () => benchPublish(values);
    };
  },
  scale: async () => plain((await import("./bench/scale.ts")).benchScale),
  start: async () => plain((await import("./bench/start.ts")).benchStart),
  tail: async () => plain((await import("./bench/tail.ts")).benchTail),
  tick: async () => plain((await import("./bench/tick.ts")).benchTick),
};

/** A benchmark without options. */
function plain(work: () => Promise<void>): Prepare {
  return (args) => {
    parseCommandLine({ args, options: {} });
    return work;
  };
}

/** `npm run bench -- NAME` runs one benchmark. Each prints JSON lines with the ratio to a baseline measured in the same run. */
async function prepare(args: readonly string[]): Promise<() => Promise<void>> {
  const [name, ...rest] = args;
  if (args.some((argument) => argument === "--help" || argument === "-h"))
    return async () => {
      process.stdout.write(BENCH_USAGE);
    };
  if (name === undefined) throw new Error("Which benchmark?");
  const load = new Map(Object.entries(benchmarks)).get(name);
  if (!load) throw new Error(`There is no benchmark ${JSON.stringify(name)}`);
  return (await load())(rest);
}

let run: () => Promise<void>;
try {
  run = await prepare(process.argv.slice(2));
} catch (error) {
  console.error(`${messageOf(error)}\n\n${BENCH_USAGE}`);
  process.exit(2);
}
// The errors of a benchmark keep their stack: it says what was being measured.
await run();
