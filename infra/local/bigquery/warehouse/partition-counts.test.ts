import { expect, it } from "vitest";
import { onlyCompares } from "./partition-counts.ts";

it.each([
  `("batch_date" BETWEEN CAST('2026-11-23' AS DATE) AND CAST('2026-11-24' AS DATE))`,
  `(("day" >= CAST('2026-11-23' AS DATE)) AND NOT ("day" IN (CAST('it''s now()' AS VARCHAR), DATE '2026-01-01')))`,
  `("now()" IS NOT NULL)`,
])("a filter that compares to values in it matches the same partitions at any time: %s", (filter) => {
  expect(onlyCompares(filter)).toBe(true);
});

it.each([
  `("day" = CAST(now() AS DATE))`,
  `("day" = current_date)`,
  `("day" = CAST($day AS DATE))`,
  `("day" >= CAST('2026-11-23' AS DATE) - INTERVAL 1 DAY)`,
])("of a filter with a function, a variable or a bound value this is not said: %s", (filter) => {
  expect(onlyCompares(filter)).toBe(false);
});

it("a filter of many texts with quotation marks in them is read in one way only, not in a million", () => {
  expect(onlyCompares(`("day" IN (${"'it''s', ".repeat(60)}"day" + 1))`)).toBe(false);
});
