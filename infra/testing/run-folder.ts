import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** A folder of this run of the tests, for what several files use. */
    runFolder: string;
  }
}

/** Makes the folder of a run of the tests, and removes it afterwards. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "populus-run-"));
  project.provide("runFolder", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
