import { FieldPath, Filter, type Query } from "@google-cloud/firestore";
import { status } from "@grpc/grpc-js";
import { expect } from "vitest";
import { type Check, refused } from "./check.ts";

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

/** A query's outcome: "answered", or its error. Uses a listener, because the client retries a refused `get` for seconds. */
function outcomeOf(query: Query): Promise<string> {
  return new Promise((resolve) => {
    const stop = query.onSnapshot(
      () => {
        stop();
        resolve("answered");
      },
      (error) => resolve(String(error)),
    );
  });
}

const { where, or, and } = Filter;
const either = (field: string): Filter => or(where("n", "==", 1), where(field, "==", 1));

/** How many conjunctions a filter has in disjunctive normal form, and the filter. Up to 30 are answered. */
const disjunctions: readonly (readonly [count: number, filter: Filter])[] = [
  [30, and(where("n", "in", upTo(6)), where("m", "in", upTo(5)))],
  [36, and(where("n", "in", upTo(6)), where("m", "in", upTo(6)))],
  [36, and(where("n", "array-contains-any", upTo(6)), where("m", "in", upTo(6)))],
  [30, or(where("n", "in", upTo(15)), where("m", "in", upTo(15)))],
  [31, or(where("n", "in", upTo(16)), where("m", "in", upTo(15)))],
  // Equal conditions, and equal conjunctions, count once.
  [6, and(where("n", "in", upTo(6)), where("n", "in", upTo(6)), where("n", "in", upTo(6)))],
  [36, and(where("n", "in", upTo(7)), where("n", "in", [3, 4, 5, 6, 7, 8]))],
  [6, and(where("n", "in", [1, 1, 1, 1, 1, 1]), where("m", "in", upTo(6)))],
  [30, and(where("n", "in", [{ a: 1, b: 2 }, { b: 2, a: 1 }, 1, 2, 3, 4]), where("m", "in", upTo(6)))],
  [30, and(where("n", "in", [null, Number.NaN, 1, 2, 3, 4]), where("m", "in", upTo(6)))],
  [36, and(where("n", "in", [null, 0, 1, 2, 3, 4]), where("m", "in", upTo(6)))],
  // No conjunction absorbs another.
  [32, and(...["a", "b", "c", "d", "e"].map(either))],
];

const badWrites: readonly (readonly [what: string, path: string, data: object])[] = [
  ["a reserved field name", "x", { __name__: 1 }],
  ["a reserved field name inside a map", "x", { a: { __b__: 1 } }],
  ["a reserved document id", "__x__", { n: 1 }],
  ["a document id of dots", "..", { n: 1 }],
  ["a document id over 1,500 bytes", "é".repeat(751), { n: 1 }],
  ["a reserved collection id", "x/__sub__/y", { n: 1 }],
  ["a nested array", "x", { list: [1, [2]] }],
];

const badQueries: readonly (readonly [what: string, query: (all: Query) => Query])[] = [
  ["more than 30 values for in", (all) => all.where("n", "in", upTo(31))],
  ["more than 10 values for not-in", (all) => all.where("n", "not-in", upTo(11))],
  ["no values for in", (all) => all.where("n", "in", [])],
  ["in combined with not-in", (all) => all.where("n", "in", [1]).where("m", "not-in", [1])],
  ["two filters of != and not-in", (all) => all.where("n", "!=", 1).where("m", "not-in", [1])],
  ["only the name, descending", (all) => all.orderBy(FieldPath.documentId(), "desc")],
  ["two array-contains", (all) => all.where("n", "array-contains", 1).where("m", "array-contains", 1)],
];

export const refusalChecks: readonly Check[] = [
  ...badWrites.map(
    ([what, path, data]): Check => ({
      name: `a write with ${what} is refused`,
      async run({ fresh }) {
        await refused(fresh().doc(path).set(data), status.INVALID_ARGUMENT);
      },
    }),
  ),
  ...badQueries.map(
    ([what, query]): Check => ({
      name: `a query with ${what} is refused`,
      async run({ fresh }) {
        expect(await outcomeOf(query(fresh()))).toMatch(/Error (3|9): /);
      },
    }),
  ),
  {
    name: "a query of more than 30 disjunctions is refused, equal ones counted once",
    async run({ fresh }) {
      const all = fresh();
      for (const [index, [count, filter]] of disjunctions.entries()) {
        const expected = count > 30 ? expect.stringContaining(`Result had ${count} disjunctions`) : "answered";
        expect(await outcomeOf(all.where(filter)), `filter ${index}`).toEqual(expected);
      }
    },
  },
  {
    name: "another project is refused",
    async run({ connect }) {
      await expect(connect({ projectId: "demo-elsewhere" }).doc("a/b").set({ n: 1 })).rejects.toThrow();
    },
  },
  {
    name: "databases of one project are isolated from each other",
    async run({ fresh, connect }) {
      const ref = fresh().doc("x");
      await ref.set({ n: 1 });
      expect((await connect({ databaseId: "second" }).doc(ref.path).get()).exists).toBe(false);
    },
  },
];
