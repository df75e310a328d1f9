import { FieldPath, type Query } from "@google-cloud/firestore";
import { status } from "@grpc/grpc-js";
import { expect } from "vitest";
import { type Check, refused } from "./check.ts";

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Asserts INVALID_ARGUMENT or FAILED_PRECONDITION. Uses a listener, because the client retries a refused `get` for seconds. */
async function queryRefused(query: Query): Promise<void> {
  const outcome = new Promise<unknown>((resolve) => {
    query.onSnapshot(() => resolve("was answered"), resolve);
  });
  expect(String(await outcome)).toMatch(/Error (3|9): /);
}

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
      run: ({ fresh }) => queryRefused(query(fresh())),
    }),
  ),
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
