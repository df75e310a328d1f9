import { usage } from "../infra/local/options.ts";
import { closestName } from "../shared/http/closest-name.ts";
import { messageOf } from "../shared/runtime/error-message.ts";
import { assertNotTakenByNpm } from "./command-line.ts";

/** The help of `./scripts/start`. */
export const START_USAGE = usage(
  "./scripts/start",
  `Serves the whole service on this machine until stopped (Ctrl-C). Web pages of this machine (http://localhost:*, http://127.0.0.1:*) may call
it; in a deployment, the Terraform variable cors_origins names the pages.`,
  ".local",
);

/** The help of `./scripts/demo`. */
export const DEMO_USAGE = usage("./scripts/demo", "Walks a customer's whole journey on sample data, and ends.", ".local/demo");

export const TEST_USAGE = `Usage: ./scripts/test

Runs all checks and tests, and prints "N passed, N failed" as its last line. The Firestore and Pub/Sub contracts and the customer's journey
also run on Google's emulators, and the Terraform tests with Terraform, if these are installed. So do the quick checks of the clients that
customers use. The first run installs packages of Python and Java, a browser and the schema of Google's Terraform provider in a folder of the
user's cache (1.7 GB). It takes no options; CONTRIBUTING.md shows how to run one test file.
`;

export const GENERATE_USAGE = `Usage: npm run generate [-- --check]

Writes infra/generated, the invented boundaries of the sample, and the generated parts of the documents.

  --check   writes nothing; fails if a file differs from what would be written
  --help    shows this help
`;

export const SAMPLE_MAP_USAGE = `Usage: npm run sample-map [-- options]

Draws the sample data of each country as a PNG: coast, invented boundaries, places, inhabited cells, roads.

  --output DIR   folder of the pictures (default: .local/sample-map)
  --seed N       seed of the sample data (default: 1)
  --scale N      size of the sample's towns, 0.05 to 100 (default: 1)
  --pixels N     longer side of a picture, 200 to 5,000 (default: 1600)
  --help         shows this help
`;

export const SCREENSHOTS_USAGE = `Usage: npm run screenshots

Starts the service and writes pictures of every page of the web console, light and dark, on a desk and on a phone, to .local/screenshots.
It takes no options.
`;

export const CONSOLE_TEST_USAGE = `Usage: npm run console-test

Starts the service and tests the web console in a real browser: the journeys that ./scripts/test runs too, and beyond them accessibility on
every page, every drawing tool, names with markup, a phone without WebGL, countries of the strict profile, files that cannot be taken, quotas
that are used up, base maps of an operator, a service that is busy, killed or cannot be reached, and the walk of a newcomer from
./scripts/start to a downloaded file, whose time it prints. It takes no options.
`;

export const BUNDLE_USAGE = `Usage: npm run bundle

Writes what the image of all functions is built from to dist/image, dist/manifest.json with its tag and their sizes and hashes,
dist/sbom.cdx.json, which lists the packages whose code they hold, and the web console to dist/console. It takes no options.
`;

export const MIGRATE_USAGE = `Usage: npm run migrate -- --project PROJECT [--all]

Adds the columns of infra/warehouse/migrations to the tables of a project, those that its mobility.schema_migrations does not list. The
deploy script runs it. Uses your own credentials (gcloud auth application-default login), as the owner of the tables.

  --project PROJECT  the project of the tables
  --all              exits with 1 if a migration waits for a table that is not there
  --help             shows this help
`;

/** The help of `npm run release`. */
export const RELEASE_USAGE = `Usage: npm run release [-- --check]

Writes the tables, migrations, APIs and functions of this release to infra/released, and documents that it leaves in Firestore. Later changes
must leave its code and its clients running: npm run check compares tables and APIs, a test reads the documents, and npm run rehearse runs the
functions beside those of the checkout. Run it in the commit that is released, after the last change.

  --check  writes nothing; exits with 1 if tables or APIs have changed since the last release other than by growing
  --help   shows this help
`;

/** The help of `npm run terraform-test`. */
export const TERRAFORM_TEST_USAGE = `Usage: npm run terraform-test

Validates every folder of Terraform and runs its tests, with mocked resources: with Google's provider where Terraform finds it on this machine
(its folders of plugins, a mirror that TF_CLI_CONFIG_FILE names, TF_PLUGIN_CACHE_DIR), otherwise with a server of that provider's schema, which
is read once from a package of npm and kept in the user's cache. Needs Terraform 1.11 or newer. Asks Google nothing. It takes no options.
`;

/** The help of `npm run rehearse`. */
export const REHEARSE_USAGE = `Usage: npm run rehearse

Rehearses a release on a separate local cloud, while customers send requests all the time: deploys the former release (N-1), migrates the
tables, deploys the next one (N), gives it 5 % of the requests, then all, and rolls back. First from the last release (infra/released) to this
checkout, with a backup that is restored into another database; then from this checkout to a copy of it with a new column and a new measure.

Prints each step with its time and what was counted. Exits with 1 if a request failed, an acknowledged write was lost, or a step was not
really taken. Takes one to five minutes, and no options.
`;

/** The help of `npm run lock-file`. */
export const LOCK_FILE_USAGE = `Usage: npm run lock-file

Adds to package-lock.json what npm leaves out of it: the packages of other platforms, and their integrity. Asks the registry. It takes no
options; run it after npm install has changed the lock file.
`;

export const SMOKE_USAGE = `Usage: npm run smoke -- --users URL --data URL | --outputs FILE   [--patience SECONDS]
       … --journey [--objects URL]

Probes every endpoint of a deployment, or of the local service, and checks the answers.

  --users, --data   the two base URLs
  --outputs FILE    the base URLs from Terraform: terraform output -json environment >FILE
  --candidate       with --outputs: the release that has no traffic yet, under its own hosts
  --journey         instead does what a customer does: logs in, reads, and lists its exports; each answer must be 200 and of its schema
  --objects URL     with --journey: Cloud Storage's list of the exports' bucket, which the token reads
  --patience S      retries failed checks for this many seconds: a load balancer takes minutes to serve new routes (default 0)
  --help            shows this help

  SMOKE_KEY         an API key to test every endpoint with, too; the requests change nothing
`;

export const CHECK_USAGE = `Usage: npm run check

Checks formatting, lint with import boundaries and cycles, types, dead code, and whether generated files are up to date. Stops at the first
check that fails, with what to do. Changes nothing, and takes no options.
`;

export const FORMAT_USAGE = `Usage: npm run format

Formats all files and fixes what Biome can fix. It takes no options.
`;

/** The benchmarks by name, each with what it measures. */
export const BENCHMARKS = {
  all: "all others, or those named after it, and renews their parts of infra/generated/benchmarks.md; about 17 minutes",
  "cold-start":
    "process start to first answer of every bundle, against a hello-world as npm installs it and one bundled alike; memory and size",
  commits: "changes of a local engine's state, one COMMIT a turn of the event loop, against one COMMIT a change",
  console: "the web console in a real browser: bytes of its first view, the longest task while it draws, requests of idle and hidden pages",
  cost: "what each endpoint, each kind of job and a tick use, from meters on the wire: documents, tasks, messages, billed bytes, CPU; and their price",
  coverage: "polygons to cells, against clipping each cell with polyclip-ts",
  export: "10,000,000 rows (--rows N) in three formats, against DuckDB's own COPY; memory of each process",
  growth: "requests, jobs, sweeps and ticks with ever more jobs, customers, maps and days of facts: what each of them costs",
  import: "50,000,000 rows (--rows N) of a CSV file, against DuckDB's own COPY into a table; memory of each process",
  jobs: "jobs through the whole path, against the bare query",
  map: "answers that a map draws, their time and size: a day of 260 cells by column and by row, 2,000 boundaries",
  overload: "1,000 requests of a customer among 10,000 of another, and ten jobs among 1,000, against the same alone; memory",
  preview: "previews of each product over a year (--days N, --scale N), against the bare query",
  publish: "a day of a country (--scale N), all products, against the bare INSERT … SELECT of the same rows; memory",
  scale: "submit, sweep, tick and reads with 200, 1,000 and 5,000 customers: what each of them costs",
  start: "time to ready, against loading the clients; time of the demo",
  tail: "warm GETs at 200 a second for a minute: their tail, and the delay of the functions' event loop",
  tick: "a tick of 10,000 maps, against one query per map",
} as const;

export const BENCH_USAGE = `Usage: npm run bench -- NAME [options]

Runs one benchmark. Prints JSON lines with the ratio to a baseline that is measured in the same run.

${Object.entries(BENCHMARKS)
  .map(([name, does]) => `  ${name.padEnd(12)}${does}`)
  .join("\n")}
  --help      shows this help
`;

/**
 * Prints the help and ends the process if the first argument is `--help`. With any other argument that is not `allowed`, prints what is wrong
 * and ends it with 2: a command that ignores an option runs something else than its caller means.
 */
export function exitOnHelp(text: string, args: readonly string[], allowed: readonly string[] = []): void {
  const unknown = args.find((argument) => !allowed.includes(argument));
  if (unknown === "--help" || unknown === "-h") {
    process.stdout.write(text);
    process.exit(0);
  }
  const wrong = unknown === undefined ? takenByNpm(allowed) : unknownArgument(unknown, allowed);
  if (wrong === undefined) return;
  process.stderr.write(`${wrong}\n\n${text}`);
  process.exit(2);
}

function unknownArgument(argument: string, allowed: readonly string[]): string {
  const meant = closestName(argument, [...allowed, "--help"]);
  return `Unknown argument ${JSON.stringify(argument)}${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}

function takenByNpm(allowed: readonly string[]): string | undefined {
  try {
    assertNotTakenByNpm(
      allowed.map((option) => option.slice(2)),
      process.env,
    );
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
