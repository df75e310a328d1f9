import { join } from "node:path";
import * as v from "valibot";
import { terraformValue } from "./terraform-binary.ts";

const Quota = v.object({
  what: v.string(),
  limit: v.number(),
  is_raisable: v.boolean(),
  counts: v.record(v.string(), v.number()),
  advice: v.string(),
  source: v.string(),
  url: v.string(),
});

/**
 * Returns Google's quotas as a Markdown table, with the usage for each number of customers. `terraform/modules/quotas` counts.
 * @param root the project's folder
 */
export function quotasDocument(root: string): string {
  const quotas = v.parse(v.array(Quota), terraformValue(join(root, "terraform/modules/quotas"), "local.quotas"));
  // Keys that are numbers are in ascending order.
  const sizes = Object.keys(quotas[0]?.counts ?? {}).map(Number);
  const rows = quotas.map(({ what, limit, is_raisable, counts, advice, source, url }) => [
    what,
    `${thousands(limit)}${is_raisable ? ", raised on request" : ""}`,
    ...Object.values(counts).map(thousands),
    advice,
    `[${source}](${url})`,
  ]);
  const head = ["what", "limit", ...sizes.map((size) => `${thousands(size)} customers`), "what to raise or split when", "source"];
  return [
    "# Google's quotas",
    "",
    "Written by `npm run generate` from the counts of `terraform/modules/quotas`, where Terraform is installed. Every customer has scenarios",
    "A, B and C, and all are in one project, the worst case: with a delivery project, what grows with customers counts there.",
    "",
    ...[head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`),
    "",
  ].join("\n");
}

function thousands(count: number): string {
  return count.toLocaleString("en");
}
