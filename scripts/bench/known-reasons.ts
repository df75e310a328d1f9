import type { BenchRow } from "./benchmarks-record.ts";

/** Why rows that benchmarks print without a reason miss their budgets, as far as a profile has shown it. The first that fits counts. */
const REASONS: readonly { readonly benchmark: string; readonly missed?: RegExp; readonly why: string }[] = [
  {
    benchmark: "cold-start",
    why: "queries of the local BigQuery are part of the answer, and those by civil days load the locale data of Intl, 9 ms",
  },
  {
    benchmark: "cost",
    missed: /reads/,
    why: "the fourth read is in the database usage, which every function may write: its documents cannot be those that grant something",
  },
  {
    benchmark: "cost",
    missed: /CPU/,
    why: "six calls of BigQuery and two of Cloud Storage, spread over their clients",
  },
  {
    benchmark: "jobs",
    why: "a job costs the functions 9 ms of CPU and the local cloud 4 besides the 15 of its query and its client, and all share two processors",
  },
];

/** Returns why a row misses something, in the words of the page: what the row says itself, else what is known of its benchmark. */
export function whyNotMet(benchmark: string, { why }: BenchRow, missed: string): string | undefined {
  if (typeof why === "string") return why;
  return REASONS.find((reason) => reason.benchmark === benchmark && (reason.missed?.test(missed) ?? true))?.why;
}
