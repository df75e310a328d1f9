import { afterAll, beforeAll, expect, test } from "vitest";
import type { Engine } from "./contract/check.ts";
import { connectEngine } from "./contract/engine.ts";
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
  ["equalities alone", () => jobs().where("a", "==", 1).where("b", "==", 2)],
  ["one sorted field alone", () => jobs().where("a", ">", 1).orderBy("a", "desc")],
  [
    "equalities in any order before the sorted field",
    () => jobs().where("uid", "==", "u").where("status", "in", ["x"]).orderBy("createdAt"),
  ],
  ["an inequality where the index is sorted", () => jobs().where("uid", "==", "u").where("status", "==", "x").where("createdAt", "<", 5)],
  ["all directions reversed", () => jobs().where("kind", "==", 1).orderBy("size").orderBy("name", "desc")],
])("%s are served", async (_what, query) => {
  expect((await query().get()).docs).toEqual([]);
});

// The client asks again for seven seconds: side by side.
test.concurrent.each([
  ["an order beside an equality", () => jobs().where("a", "==", 1).orderBy("b"), "jobs (a, b)"],
  ["an equality fewer than the index has", () => jobs().where("uid", "==", "u").orderBy("createdAt"), "jobs (uid, createdAt)"],
  ["one direction reversed of two", () => jobs().where("kind", "==", 1).orderBy("size").orderBy("name"), "jobs (kind, size, name)"],
  [
    "the index of another collection",
    () => engine.db.collection("maps").where("uid", "==", "u").orderBy("createdAt"),
    "maps (uid, createdAt)",
  ],
  ["a count of such a query", () => jobs().where("a", "==", 1).where("b", ">", 1).count(), "jobs (a, b)"],
])("%s is refused, and the answer names the index", async (_what, query, named) => {
  await expect(query().get()).rejects.toMatchObject({ code: 9, message: expect.stringContaining(`The query requires an index: ${named}`) });
});
