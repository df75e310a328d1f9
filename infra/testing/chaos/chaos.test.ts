import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runChaos } from "./run-chaos.ts";

test("a few jobs each end once despite kills, duplicates and losses", async () => {
  const stateDirectory = mkdtempSync(join(tmpdir(), "populus-chaos-"));
  const said: string[] = [];
  const { counts, faults } = await runChaos({ jobs: 12, maps: 0, seed: 5, rate: 0.02, stateDirectory, say: (line) => said.push(line) });
  expect(faults, said.join("\n")).toEqual([]);
  expect(counts).toMatchObject({ "jobs accepted": 12, "jobs completed": 12 });
  rmSync(stateDirectory, { recursive: true, force: true });
});
