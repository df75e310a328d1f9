import type { BenchRow } from "./benchmarks-record.ts";

/** Why rows that benchmarks print without a reason miss their budgets, as far as a profile has shown it. The first that fits counts. */
const REASONS: readonly { readonly benchmark: string; readonly missed?: RegExp; readonly why: string }[] = [
  {
    benchmark: "cold-start",
    missed: /^archive$/,
    why: "the archive holds the whole description of the API, compressed",
  },
  {
    benchmark: "cold-start",
    why: "loading Google's clients and their protos, and the first connection, which a hello-world does without",
  },
  {
    benchmark: "jobs",
    why: "a job costs the functions 8 ms of CPU besides the query's 14 in the local cloud, and both share two processors",
  },
];

/** Returns why a row is not met: what the row says itself, else what is known of its benchmark. */
export function whyNotMet(benchmark: string, { why, not_met: missed }: BenchRow): string | undefined {
  if (typeof why === "string") return why;
  return REASONS.find((reason) => reason.benchmark === benchmark && (reason.missed?.test(String(missed ?? "")) ?? true))?.why;
}
