import { expect, test } from "vitest";
import { STAGED_BATCHES_MAX, STAGED_ROWS_MAX, stagingGroups } from "./staging-groups.ts";

const sizes = (...rows: readonly number[]): number[][] =>
  stagingGroups(rows.map((count) => ({ rows: count }))).map((stage) => stage.map((batch) => batch.rows));

test("small batches are staged together up to the row limit, in order", () => {
  const half = STAGED_ROWS_MAX / 2;
  expect(sizes(1, half, half - 1, 1, half, half)).toEqual([[1, half, half - 1], [1, half], [half]]);
});

test("a batch above the limit is staged alone", () => {
  expect(sizes(1, STAGED_ROWS_MAX + 1, 2, 3)).toEqual([[1], [STAGED_ROWS_MAX + 1], [2, 3]]);
});

test("a stage never holds more batches than the limit", () => {
  expect(sizes(...Array.from({ length: 2 * STAGED_BATCHES_MAX + 1 }, () => 0)).map(({ length }) => length)).toEqual([
    STAGED_BATCHES_MAX,
    STAGED_BATCHES_MAX,
    1,
  ]);
});

test("no batches make no stage", () => {
  expect(sizes()).toEqual([]);
});
