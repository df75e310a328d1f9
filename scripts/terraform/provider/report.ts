import type { FolderResult } from "./check-folder.ts";
import type { ProviderRun } from "./check-folders.ts";

/** What no test with a mocked provider shows, whichever provider it is. */
const NOT_SHOWN = "It is no apply: Google was not asked, and names, quotas and policies that it refuses are not seen.";

/** Returns a line for each folder of a run, with what is wrong below it. */
export function folderLines({ folder, passed, failed, planned, faults }: FolderResult): string[] {
  const resources = planned === undefined ? "" : `, ${planned} resources planned`;
  return [`— ${folder}: ${passed} passed, ${failed} failed${resources}`, ...faults.map((fault) => `   ${fault}`)];
}

/** Returns how a run ended: its counts, and the lines that say with what it ran, or why it did not. */
export function summaryOf(run: ProviderRun): { readonly passed: number; readonly failed: number; readonly lines: readonly string[] } {
  if ("missing" in run)
    return {
      passed: 0,
      failed: 0,
      lines: [`Not run: the tests of Terraform's roots and of modules with a provider, because ${run.missing}`],
    };
  const sum = (count: "passed" | "failed") => run.results.reduce((total, result) => total + result[count], 0);
  return {
    passed: sum("passed"),
    failed: sum("failed"),
    lines: [`Ran with ${run.title}: ${run.results.length} folders of Terraform. ${NOT_SHOWN}`],
  };
}
