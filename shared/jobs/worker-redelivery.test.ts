import { describe, expect, it } from "vitest";
import { LOCAL_REDELIVERY } from "../../infra/local/redelivery.ts";
import { survivedSeconds } from "../runtime/redelivery.ts";
import { JOB_IDLE_MS } from "./job-state.ts";
import { WORKER_REDELIVERY } from "./worker-redelivery.ts";

describe("a failing message", () => {
  it("survives an hour's outage with half an hour to spare, and is given up long before the job's six-hour deadline", () => {
    expect(survivedSeconds(WORKER_REDELIVERY)).toBeGreaterThan(1.5 * 3600);
    expect(survivedSeconds(WORKER_REDELIVERY)).toBeLessThan(3 * 3600);
  });

  it.each([
    ["in the cloud", WORKER_REDELIVERY],
    ["locally", LOCAL_REDELIVERY],
  ])(
    "%s is redelivered before the sweeper counts it as lost, with a minute for the delivery itself, and within Pub/Sub's limits",
    (_where, one) => {
      const { attemptsMax, backoffSeconds } = one;
      expect(backoffSeconds.maximum + 60).toBeLessThan(JOB_IDLE_MS / 1000);
      expect(backoffSeconds.minimum).toBeLessThanOrEqual(backoffSeconds.maximum);
      expect(attemptsMax).toBeGreaterThanOrEqual(5);
      expect(attemptsMax).toBeLessThanOrEqual(100);
    },
  );
});
