import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { awaitSample } from "./await-sample.ts";
import type { SampleProgress } from "./messages.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it("says the step every five seconds while the sample is made, and nothing after it", async () => {
  const { promise: filled, resolve } = Promise.withResolvers<void>();
  let filling: SampleProgress | undefined;
  const lines: string[] = [];
  const awaited = awaitSample({ filled, filling: () => filling }, (line) => lines.push(line));
  await vi.advanceTimersByTimeAsync(4999);
  expect(lines).toEqual([]);
  filling = { step: "places" };
  await vi.advanceTimersByTimeAsync(1);
  filling = { step: "odm_daily", done: 3, of: 13 };
  await vi.advanceTimersByTimeAsync(5000);
  resolve();
  await awaited;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(lines).toEqual(["Making the sample data: places, 5 s …", "Making the sample data: odm_daily, 3 of 13 steps done, 10 s …"]);
});

it("rejects with why the sample cannot be made, and says nothing more", async () => {
  const lines: string[] = [];
  const awaited = awaitSample({ filled: Promise.reject(new Error("The disk is full")), filling: () => undefined }, (line) =>
    lines.push(line),
  );
  await expect(awaited).rejects.toThrow("The disk is full");
  await vi.advanceTimersByTimeAsync(20_000);
  expect(lines).toEqual([]);
});
