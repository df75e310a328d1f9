import { type Plan, planLosses } from "./plan-losses.ts";

const WORDS = [
  { word: "replace", matches: (actions: readonly string[]) => actions.length > 1 },
  { word: "delete", matches: (actions: readonly string[]) => actions[0] === "delete" },
  { word: "change", matches: (actions: readonly string[]) => actions[0] === "update" },
  { word: "create", matches: (actions: readonly string[]) => actions[0] === "create" },
  { word: "forget", matches: (actions: readonly string[]) => actions[0] === "forget" },
] as const;
/** More of one kind of resource are counted, not listed: a release changes every service. */
const LISTED_MAX = 5;

/** Returns a plan as Markdown for a reviewer: what it would lose first, then how much of what it changes, what is deleted before all. */
export function summarizePlan(environment: string, plan: Plan): string {
  const losses = planLosses(plan);
  const sections = WORDS.flatMap(({ word, matches }) => {
    const found = plan.resource_changes.filter(({ change }) => matches(change.actions));
    return found.length === 0 ? [] : [`### ${found.length} to ${word}\n\n${byType(found).join("\n")}`];
  });
  return [
    `## Plan for ${environment}`,
    ...(losses.length === 0
      ? []
      : [`**A deployment refuses this plan: it would lose data, or protect it less.**\n\n${losses.map((line) => `- ${line}`).join("\n")}`]),
    ...(sections.length === 0 ? ["Nothing changes."] : sections),
    "",
  ]
    .join("\n\n")
    .trimEnd()
    .concat("\n");
}

function byType(changes: Plan["resource_changes"]): string[] {
  const types = [...new Set(changes.map(({ type }) => type))].sort();
  return types.flatMap((type) => {
    const addresses = changes.flatMap((one) => (one.type === type ? [one.address] : [])).sort();
    if (addresses.length > LISTED_MAX) return [`- ${addresses.length} × \`${type}\``];
    return addresses.map((address) => `- \`${address}\``);
  });
}
