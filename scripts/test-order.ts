import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The test files that take half a minute or more, in the order in which they start. `./scripts/test` prints the slowest of a run; those that are not
 * here start later, at worst as the last, when nothing is left for the other workers.
 */
export const SLOW_FILES: readonly string[] = [
  "functions/bundles.test.ts",
  "functions/realtime/realtime.test.ts",
  "functions/large-answers.test.ts",
  "functions/console/journeys/pages.test.ts",
  "functions/key-checks.test.ts",
  "functions/smoke.test.ts",
  "infra/local/data-directory.test.ts",
  "scripts/import/plain-rows.test.ts",
  "infra/testing/clients/clients.test.ts",
  "infra/testing/simulation/mutants/mutants.test.ts",
  "infra/local/disk-full.test.ts",
  "shared/products/new-product.test.ts",
  "infra/testing/simulation/ticks.test.ts",
  "scripts/import/import.test.ts",
  "scripts/admin/service.test.ts",
  "shared/realtime/outage.test.ts",
  "infra/local/interrupted-start.test.ts",
  "scripts/start.test.ts",
  "scripts/import/days-and-hours.test.ts",
  "infra/testing/chaos/chaos.test.ts",
  "infra/local/functions-restart.test.ts",
  "scripts/import/presence.test.ts",
  "infra/local/sample/top-up.test.ts",
  "scripts/deploy.test.ts",
];

/** Starts the slow files of each project first, the others as Vitest orders them. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // A worker goes on with the next file only if that is of the same project.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const place = ({ project, moduleId }: TestSpecification): number => {
      const slow = SLOW_FILES.indexOf(relative(project.config.root, moduleId));
      return slow === -1 ? SLOW_FILES.length : slow;
    };
    return projects.flatMap((project) => sorted.filter((file) => file.project === project).sort((a, b) => place(a) - place(b)));
  }
}
