import { expect, it } from "vitest";
import { runChunks } from "./run-chunks.ts";

it("has the same result with one worker and with two, and reports progress", async () => {
  const seen: number[] = [];
  const run = (workers: number) =>
    runChunks({ subject: "jobs", seed: 5, schedules: 120, workers, onProgress: ({ schedules }) => seen.push(schedules) });
  const one = await run(1);
  expect(one.schedules).toBe(120);
  expect(seen).toEqual([100, 120]);
  expect(await run(2)).toEqual(one);
});
