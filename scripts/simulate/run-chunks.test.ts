import { expect, it } from "vitest";
import { runChunks } from "./run-chunks.ts";

it("has the same result with one worker and with three, and reports progress", async () => {
  const seen: number[] = [];
  const run = (workers: number) =>
    runChunks({ subject: "jobs", seed: 5, schedules: 600, workers, onProgress: ({ schedules }) => seen.push(schedules) });
  const one = await run(1);
  expect(one.schedules).toBe(600);
  expect(seen).toEqual([250, 500, 600]);
  expect(await run(3)).toEqual(one);
});
