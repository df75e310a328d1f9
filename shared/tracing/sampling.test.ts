import { expect, it } from "vitest";
import { samplingOf } from "./sampling.ts";

it("has the share of the traces that is wanted, whole traces each", () => {
  const ids = Array.from({ length: 1000 }, (_, index) =>
    (BigInt(index) * 0x9e3779b97f4a7c15f39cc0605cedc835n).toString(16).slice(-32).padStart(32, "0"),
  );
  const count = (share: number) => ids.filter(samplingOf(share).has).length;
  expect([count(0), count(1)]).toEqual([0, 1000]);
  expect(Math.abs(count(0.25) - 250)).toBeLessThan(50);
});

it.each([
  [1, "ot=th:0", "00000000000000", undefined],
  [0.5, "ot=th:8", "80000000000000", "7fffffffffffff"],
  [0.25, "ot=th:c", "c0000000000000", "bfffffffffffff"],
  [0.1, "ot=th:e6666666666668", "e6666666666668", "e6666666666667"],
])("samples a share of %d as OpenTelemetry has it: %s", (share, traceState, first, below) => {
  const sampling = samplingOf(share);
  expect(sampling.traceState).toBe(traceState);
  expect(sampling.has(`${"f".repeat(18)}${first}`)).toBe(true);
  if (below !== undefined) expect(sampling.has(`${"f".repeat(18)}${below}`)).toBe(false);
});
