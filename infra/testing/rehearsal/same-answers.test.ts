import { expect, it } from "vitest";
import { tellTheSame } from "./same-answers.ts";

const OLD = { id: "a", rows: [{ people: 20 }, { people: 30 }], next: null };

it.each<readonly [what: string, other: unknown]>([
  ["the same", structuredClone(OLD)],
  ["members besides", { ...OLD, kind: "rows" }],
  ["members besides in rows", { ...OLD, rows: OLD.rows.map((row) => ({ ...row, k: 10 })) }],
])("two versions tell the same: %s", (_, other) => {
  expect([tellTheSame(OLD, other), tellTheSame(other, OLD)]).toEqual([true, true]);
});

it.each<readonly [what: string, other: unknown]>([
  ["another value", { ...OLD, id: "b" }],
  ["a member less and one besides", { kind: "rows", id: "a", rows: OLD.rows }],
  ["a row less", { ...OLD, rows: OLD.rows.slice(1) }],
  ["another number in a row", { ...OLD, rows: [{ people: 20 }, { people: 31 }] }],
  ["no object", null],
  ["a list", [OLD]],
])("two versions tell otherwise: %s", (_, other) => {
  expect([tellTheSame(OLD, other), tellTheSame(other, OLD)]).toEqual([false, false]);
});
