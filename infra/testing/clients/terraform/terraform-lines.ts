import * as v from "valibot";
import { jsonLines } from "../../../../scripts/terraform/terraform-binary.ts";

const Diagnostic = v.object({
  diagnostic: v.object({
    severity: v.string(),
    summary: v.string(),
    detail: v.optional(v.string(), ""),
    address: v.optional(v.string(), ""),
  }),
});
const Summary = v.object({
  type: v.literal("change_summary"),
  changes: v.object({ add: v.number(), change: v.number(), remove: v.number() }),
});
const Planned = v.object({
  type: v.literal("planned_change"),
  change: v.object({ action: v.string(), resource: v.object({ addr: v.string() }) }),
});

/** How many resources a run of Terraform makes, changes and removes. */
export type Changes = v.InferOutput<typeof Summary>["changes"];

/** Returns what `terraform plan -json` or `terraform apply -json` sums up. Throws an Error with all that it complains of, warnings too. */
export function changesOf({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): Changes {
  const lines = jsonLines(stdout);
  const faults = lines.flatMap((line) => (v.is(Diagnostic, line) ? [line.diagnostic] : []));
  if (faults.length > 0)
    throw new Error(faults.map(({ address = "", summary, detail = "" }) => `${address}: ${summary} ${detail}`).join("\n"));
  const changes = lines.flatMap((line) => (v.is(Summary, line) ? [line.changes] : [])).at(-1);
  if (!changes) throw new Error(`Terraform summed nothing up: ${stderr}`);
  return changes;
}

/** Returns what a plan changes, one resource a line. */
export function plannedChanges(stdout: string): string[] {
  return jsonLines(stdout).flatMap((line) => (v.is(Planned, line) ? [`${line.change.action} ${line.change.resource.addr}`] : []));
}
