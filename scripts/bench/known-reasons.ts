import type { BenchRow } from "./benchmarks-record.ts";

/** Why rows that benchmarks print without a reason miss their budgets, as far as a profile has shown it. The first that fits counts. */
const REASONS: readonly { readonly benchmark: string; readonly what?: RegExp; readonly missed?: RegExp; readonly why: string }[] = [
  {
    benchmark: "cold-start",
    why: "Google's clients and the first connections; where BigQuery is asked, a query of the local one too, 15 to 20 ms of the answer",
  },
  {
    benchmark: "cost",
    missed: /CPU/,
    why: "six calls of BigQuery and two of Cloud Storage, spread over their clients",
  },
  {
    benchmark: "export",
    why: "a job's fixed work, 20 ms, and the hashes of its file, 2 ms a MiB",
  },
  {
    benchmark: "import",
    missed: /memory/,
    why: "DuckDB keeps what it has read and written of its file up to its limit, which a fifth of the rows does not fill",
  },
  {
    benchmark: "jobs",
    why: "the calls of a job alone, by Google's clients without the service, take 1.7 to 1.8 times as long: they cost 10 ms of CPU, and the local cloud 6 besides the query; the service adds 3",
  },
  {
    benchmark: "start",
    what: /complete sample/,
    why: "publishing the sample, most of all hourly Activities, takes 30 to 40 s of CPU on two processors",
  },
];

/** Returns why a row misses something, in the words of the page: what the row says itself, else what is known of its benchmark. */
export function whyNotMet(benchmark: string, { why, what }: BenchRow, missed: string): string | undefined {
  if (typeof why === "string") return why;
  return REASONS.find(
    (reason) => reason.benchmark === benchmark && (reason.missed?.test(missed) ?? true) && (reason.what?.test(String(what)) ?? true),
  )?.why;
}
