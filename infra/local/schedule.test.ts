import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startSchedules } from "./schedule.ts";

const TICK_SECONDS = 300;

beforeEach(() => void vi.useFakeTimers({ now: 0 }));

afterEach(() => void vi.useRealTimers());

it("a tick is not fed while the one before it is, however long that takes", async () => {
  const fed: { readonly tick: string; readonly answer: () => void }[] = [];
  const feed = (tick: Date): Promise<void> => new Promise((answer) => fed.push({ tick: tick.toISOString().slice(11, 16), answer }));
  const stop = startSchedules({ urlOf: () => undefined, tickSeconds: TICK_SECONDS, feed });
  await vi.advanceTimersByTimeAsync(20 * TICK_SECONDS * 1000);
  expect(fed.map(({ tick }) => tick)).toEqual(["00:05"]);
  fed[0]?.answer();
  await vi.advanceTimersByTimeAsync(TICK_SECONDS * 1000);
  expect(fed.map(({ tick }) => tick)).toEqual(["00:05", "01:45"]);
  stop();
  fed[1]?.answer();
  await vi.advanceTimersByTimeAsync(TICK_SECONDS * 1000);
  expect(fed).toHaveLength(2);
});
