import { Client, credentials, type status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalServer } from "../server.ts";
import { firestoreService } from "./protos.ts";
import { startFirestore } from "./start.ts";

const DATABASE = "projects/demo-wire/databases/(default)";
const ROOT = `${DATABASE}/documents`;
let server: LocalServer;
let client: Client;

beforeAll(async () => {
  server = await startFirestore({ project: "demo-wire" });
  client = new Client(server.address, credentials.createInsecure());
});

afterAll(async () => {
  client.close();
  await server.close();
});

/** The status that a method answers to a request that the real client would never make. */
function answer(method: string, request: object): Promise<{ readonly code: status; readonly details: string }> {
  const definition = firestoreService()[method];
  if (definition === undefined) throw new Error(`there is no ${method}`);
  const { path, requestSerialize, responseDeserialize, responseStream } = definition;
  return new Promise((resolve) => {
    if (responseStream)
      client
        .makeServerStreamRequest(path, requestSerialize, responseDeserialize, request)
        .on("data", () => {})
        .on("error", () => {})
        .on("status", resolve);
    else client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, () => {}).on("status", resolve);
  });
}

const query = (structuredQuery: object) =>
  ["RunQuery", { parent: ROOT, structuredQuery: { from: [{ collectionId: "c" }], ...structuredQuery } }] as const;
const write = (change: object) => ["Commit", { database: DATABASE, writes: [change] }] as const;
const filter = (op: string, value: object) => query({ where: { fieldFilter: { field: { fieldPath: "n" }, op, value } } });
const transform = (change: object) => write({ transform: { document: `${ROOT}/c/x`, fieldTransforms: [{ fieldPath: "n", ...change }] } });

describe("a malformed request", () => {
  it.each([
    ["a query of no collection", query({ from: [] })],
    ["a query of two collections", query({ from: [{ collectionId: "a" }, { collectionId: "b" }] })],
    ["a query of a collection without a name", query({ from: [{ collectionId: "" }] })],
    ["a query of a reserved collection", query({ from: [{ collectionId: "__a__" }] })],
    ["a query below a collection", ["RunQuery", { parent: `${ROOT}/c`, structuredQuery: { from: [{ collectionId: "c" }] } }]],
    ["a query without a query", ["RunQuery", { parent: ROOT }]],
    ["a negative limit", query({ limit: { value: -1 } })],
    ["a negative offset", query({ offset: -1 })],
    ["a filter without an operator", filter("OPERATOR_UNSPECIFIED", { integerValue: 1 })],
    ["a filter without a value", query({ where: { fieldFilter: { field: { fieldPath: "n" }, op: "EQUAL" } } })],
    ["an empty filter", query({ where: {} })],
    ["an empty composition of filters", query({ where: { compositeFilter: { op: "AND", filters: [] } } })],
    [
      "a composition without an operator",
      query({ where: { compositeFilter: { filters: [{ unaryFilter: { op: "IS_NULL", field: { fieldPath: "n" } } }] } } }),
    ],
    ["a unary filter without an operator", query({ where: { unaryFilter: { field: { fieldPath: "n" } } } })],
    ["a unary filter without a field", query({ where: { unaryFilter: { op: "IS_NULL" } } })],
    ["in without a list", filter("IN", { integerValue: 1 })],
    ["a malformed field path", query({ orderBy: [{ field: { fieldPath: "a..b" } }] })],
    [
      "a name compared with a number",
      query({ where: { fieldFilter: { field: { fieldPath: "__name__" }, op: "EQUAL", value: { integerValue: 1 } } } }),
    ],
    ["a cursor longer than the order", query({ startAt: { values: [{ referenceValue: `${ROOT}/c/x` }, { integerValue: 1 }] } })],
    ["a cursor on the name that is no name", query({ startAt: { values: [{ integerValue: 1 }] } })],
    [
      "an aggregation of nothing",
      ["RunAggregationQuery", { parent: ROOT, structuredAggregationQuery: { structuredQuery: { from: [{ collectionId: "c" }] } } }],
    ],
    ["a write without an operation", write({})],
    ["a write outside of the database", write({ delete: "projects/demo-wire/databases/other/documents/c/x" })],
    ["a write of a collection", write({ delete: `${ROOT}/c` })],
    ["a write of a document with an empty id", write({ delete: `${ROOT}/c/` })],
    ["a value without a type", write({ update: { name: `${ROOT}/c/x`, fields: { n: {} } } })],
    ["a value of a pipeline", write({ update: { name: `${ROOT}/c/x`, fields: { n: { fieldReferenceValue: "m" } } } })],
    ["an increment by a text", transform({ increment: { stringValue: "1" } })],
    ["a transform of no kind", transform({})],
    ["an unknown transaction", ["Commit", { database: DATABASE, writes: [], transaction: Buffer.from("none") }]],
    [
      "a read in an unknown transaction",
      ["BatchGetDocuments", { database: DATABASE, documents: [`${ROOT}/c/x`], transaction: Buffer.from("none") }],
    ],
    ["a rollback of an unknown transaction", ["Rollback", { database: DATABASE, transaction: Buffer.from("none") }]],
    ["a read of the future", ["BatchGetDocuments", { database: DATABASE, documents: [], readTime: { seconds: "99999999999" } }]],
    [
      "a document written twice in a batch of single writes",
      ["BatchWrite", { database: DATABASE, writes: [{ delete: `${ROOT}/c/x` }, { delete: `${ROOT}/c/x` }] }],
    ],
    ["a name that is no database", ["Commit", { database: "projects/demo-wire", writes: [] }]],
    ["documents of no collection", ["ListDocuments", { parent: ROOT }]],
  ] as const)("with %s is refused with INVALID_ARGUMENT", async (_what, [method, request]) => {
    expect(await answer(method, request)).toMatchObject({ code: 3 });
  });

  it("is refused with RESOURCE_EXHAUSTED when it is larger than 10 MiB", async () => {
    const writes = Array.from({ length: 11 }, (_, n) => ({
      update: { name: `${ROOT}/c/${n}`, fields: { text: { stringValue: "x".repeat(1_000_000) } } },
    }));
    expect(await answer("Commit", { database: DATABASE, writes })).toMatchObject({ code: 8 });
  });

  it("is refused with NOT_FOUND when it is for another project", async () => {
    expect(await answer("Commit", { database: "projects/demo-other/databases/(default)", writes: [] })).toMatchObject({ code: 5 });
  });
});

describe("what is not served", () => {
  it.each([
    ["vector search", query({ findNearest: { vectorField: { fieldPath: "v" } } })],
    ["explaining", ["RunQuery", { parent: ROOT, structuredQuery: { from: [{ collectionId: "c" }] }, explainOptions: {} }]],
    ["listing in an order", ["ListDocuments", { parent: ROOT, collectionId: "c", orderBy: "n desc" }]],
    ["listing collections of the past", ["ListCollectionIds", { parent: ROOT, readTime: { seconds: "1" } }]],
    ["splitting a query", ["PartitionQuery", { parent: ROOT }]],
    ["pipelines", ["ExecutePipeline", { database: DATABASE }]],
    ["single reads", ["GetDocument", { name: `${ROOT}/c/x` }]],
  ] as const)("%s is refused with UNIMPLEMENTED", async (_what, [method, request]) => {
    expect(await answer(method, request)).toMatchObject({ code: 12 });
  });
});
