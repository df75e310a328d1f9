import { markdownTable } from "../../documents/markdown-table.ts";
import { JOURNEYS, OBJECTIVES } from "./objectives.ts";

/** Returns the service level objectives as a Markdown table. */
export function objectivesTable(): string {
  const rows = Object.values(OBJECTIVES).map(({ title, journey, runbook }) => [
    JOURNEYS[journey].title,
    title,
    `[\`${runbook}\`](modules/operations/runbooks/${runbook}.md)`,
  ]);
  return markdownTable(["journey", "objective, in 28 days", "runbook"], rows);
}
