import { Firestore } from "@google-cloud/firestore";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startFirestore } from "../../infra/local/firestore/start.ts";
import type { LocalServer } from "../../infra/local/server.ts";
import { startGrpcProxy } from "../../infra/testing/faults/grpc-proxy.ts";
import { readDocument } from "./read-document.ts";

const PROJECT = "demo-read";
const calls: string[] = [];
let server: LocalServer;
let proxy: Awaited<ReturnType<typeof startGrpcProxy>>;
let db: Firestore;

beforeAll(async () => {
  server = await startFirestore({ project: PROJECT });
  const passing = { next: () => "passed" as const, delayMs: () => 0 };
  proxy = await startGrpcProxy(server.address, passing, (path) => calls.push(path.split("/").at(-1) ?? ""));
  // Overrides the environment of the run.
  process.env.FIRESTORE_EMULATOR_HOST = proxy.address;
  db = connect(PROJECT);
  await db.doc("c/x").set({ n: 1 });
  calls.length = 0;
});

afterAll(async () => {
  await db.terminate();
  proxy.close();
  await server.close();
});

function connect(projectId: string): Firestore {
  return new Firestore({ projectId });
}

it("a document is read by one call that is no stream, whether it is there or not", async () => {
  expect(await readDocument(db.doc("c/x"))).toEqual({ n: 1 });
  expect(await readDocument(db.doc("c/missing"))).toBeUndefined();
  expect(calls.splice(0)).toEqual(["GetDocument", "GetDocument"]);
});

it("a database that does not exist is what a batch says of it, not a document that does not exist", async () => {
  const other = connect("demo-none");
  // The client itself repeats such a batch for seconds.
  const get = () => Promise.reject(new Error("no database"));
  await expect(readDocument({ path: "c/x", firestore: other, get })).rejects.toThrow("no database");
  expect(calls.splice(0)).toEqual(["GetDocument"]);
  await other.terminate();
});

it("a client without the parts that make unary calls reads as it does", async () => {
  const { path } = db.doc("c/x");
  const get = () => db.doc(path).get();
  expect(await readDocument({ path, get, firestore: {} })).toEqual({ n: 1 });
  expect(calls.splice(0)).toEqual(["BatchGetDocuments"]);
});
