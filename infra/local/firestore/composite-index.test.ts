import { afterAll, beforeAll, expect, test } from "vitest";
import type { Engine } from "../../testing/contracts/firestore/check.ts";
import { connectEngine } from "../../testing/contracts/firestore/engine.ts";
import { startFirestore } from "./start.ts";

let engine: Engine;
let end: () => Promise<void>;

beforeAll(async () => {
  const fields = (...names: string[]) =>
    names.map((name) =>
      name.startsWith("-") ? { fieldPath: name.slice(1), order: "DESCENDING" } : { fieldPath: name, order: "ASCENDING" },
    );
  const server = await startFirestore({
    project: "demo-index",
    indexes: [
      { collectionGroup: "jobs", queryScope: "COLLECTION", fields: fields("status", "uid", "createdAt") },
      { collectionGroup: "jobs", queryScope: "COLLECTION", fields: fields("kind", "-size", "name") },
    ],
  });
  ({ engine, end } = connectEngine(server, "demo-index"));
});

afterAll(() => end());

const jobs = () => engine.db.collection("jobs");

test.each([
  ["only equalities", () => jobs().where("a", "==", 1).where("b", "==", 2)],
  ["only one sorted field", () => jobs().where("a", ">", 1).orderBy("a", "desc")],
  [
    "equalities in any order before the sorted field",
    () => jobs().where("uid", "==", "u").where("status", "in", ["x"]).orderBy("createdAt"),
  ],
  ["an inequality where the index is sorted", () => jobs().where("uid", "==", "u").where("status", "==", "x").where("createdAt", "<", 5)],
  ["all directions reversed", () => jobs().where("kind", "==", 1).orderBy("size").orderBy("name", "desc")],
])("%s are served", async (_what, query) => {
  expect((await query().get()).docs).toEqual([]);
});

// Concurrent, because the client retries each query for seven seconds.
test.concurrent.each([
  ["an order with an equality on another field", () => jobs().where("a", "==", 1).orderBy("b"), "jobs (a, b)"],
  ["one equality fewer than the index has", () => jobs().where("uid", "==", "u").orderBy("createdAt"), "jobs (uid, createdAt)"],
  ["one of two directions reversed", () => jobs().where("kind", "==", 1).orderBy("size").orderBy("name"), "jobs (kind, size, name)"],
  [
    "the index of another collection",
    () => engine.db.collection("maps").where("uid", "==", "u").orderBy("createdAt"),
    "maps (uid, createdAt)",
  ],
  ["a count of such a query", () => jobs().where("a", "==", 1).where("b", ">", 1).count(), "jobs (a, b)"],
])("%s is refused, and the error names the index", async (_what, query, named) => {
  await expect(query().get()).rejects.toMatchObject({ code: 9, message: expect.stringContaining(`The query requires an index: ${named}`) });
});
