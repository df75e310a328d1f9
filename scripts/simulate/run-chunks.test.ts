import { expect, it } from "vitest";
import { runChunks } from "./run-chunks.ts";

it("has the same result with one worker and with three, and reports progress", async () => {
  const seen: number[] = [];
  const run = (workers: number) =>
    runChunks({ subject: "jobs", seed: 5, schedules: 240, workers, onProgress: ({ schedules }) => seen.push(schedules) });
  const one = await run(1);
  expect(one.schedules).toBe(240);
  expect(seen).toEqual([100, 200, 240]);
  expect(await run(3)).toEqual(one);
});
