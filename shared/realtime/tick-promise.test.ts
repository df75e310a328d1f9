import { expect, it } from "vitest";
import { storedCellsMax, tickPromise } from "./tick-promise.ts";

const customer = (most: number, used = 0) => ({ monitoredCells: used, limits: { monitoredCells: most } });

it("a tick promises what it reads now, and all that the customers' budgets allow", () => {
  expect(storedCellsMax(500_000)).toBe(4_500_000);
  expect(tickPromise(1000, [], 1e6)).toEqual({ bytes: 1000, bytesMax: 1e6, share: 0.001, warning: undefined });
  // 16 bytes a cell, nine times 100 and 200 cells, of which 50 are read already.
  expect(tickPromise(1000, [customer(100), customer(200, 50)], 1e6)).toMatchObject({ bytes: 1000 + 16 * (2700 - 50) });
});

it("the operator is warned before the tick is oversold, and told when it is", () => {
  const at = (bytes: number) => tickPromise(bytes, [], 1000).warning;
  expect(at(799)).toBeUndefined();
  expect(at(800)).toMatch(/nearly sold out.*lower quotas of monitored cells, or raise BYTES_BILLED_MAX/);
  expect(at(1000)).toMatch(/nearly sold out/);
  expect(at(1001)).toMatch(/oversold: if customers used their budgets, it would fail for all of them/);
});
