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

/** Returns the status of a request that the real client never sends. */
function answer(method: string, request: object): Promise<{ readonly code: status; readonly details: string }> {
  const definition = firestoreService()[method];
  if (definition === undefined) throw new Error(`no method ${method}`);
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
    ["a query on no collection", query({ from: [] })],
    ["a query on two collections", query({ from: [{ collectionId: "a" }, { collectionId: "b" }] })],
    ["a query on a collection without a name", query({ from: [{ collectionId: "" }] })],
    ["a query on a reserved collection", query({ from: [{ collectionId: "__a__" }] })],
    ["a query below a collection", ["RunQuery", { parent: `${ROOT}/c`, structuredQuery: { from: [{ collectionId: "c" }] } }]],
    ["a request without a query", ["RunQuery", { parent: ROOT }]],
    ["a negative limit", query({ limit: { value: -1 } })],
    ["a negative offset", query({ offset: -1 })],
    ["a filter without an operator", filter("OPERATOR_UNSPECIFIED", { integerValue: 1 })],
    ["a filter without a value", query({ where: { fieldFilter: { field: { fieldPath: "n" }, op: "EQUAL" } } })],
    ["an empty filter", query({ where: {} })],
    ["an empty composite filter", query({ where: { compositeFilter: { op: "AND", filters: [] } } })],
    [
      "a composite filter without an operator",
      query({ where: { compositeFilter: { filters: [{ unaryFilter: { op: "IS_NULL", field: { fieldPath: "n" } } }] } } }),
    ],
    ["a unary filter without an operator", query({ where: { unaryFilter: { field: { fieldPath: "n" } } } })],
    ["a unary filter without a field", query({ where: { unaryFilter: { op: "IS_NULL" } } })],
    ["in without a list", filter("IN", { integerValue: 1 })],
    ["a malformed field path", query({ orderBy: [{ field: { fieldPath: "a..b" } }] })],
    [
      "a name compared to a number",
      query({ where: { fieldFilter: { field: { fieldPath: "__name__" }, op: "EQUAL", value: { integerValue: 1 } } } }),
    ],
    ["a cursor with more values than the order", query({ startAt: { values: [{ referenceValue: `${ROOT}/c/x` }, { integerValue: 1 }] } })],
    ["a name cursor that is not a name", query({ startAt: { values: [{ integerValue: 1 }] } })],
    [
      "an aggregation query without aggregations",
      ["RunAggregationQuery", { parent: ROOT, structuredAggregationQuery: { structuredQuery: { from: [{ collectionId: "c" }] } } }],
    ],
    ["a write without an operation", write({})],
    ["a write outside the database", write({ delete: "projects/demo-wire/databases/other/documents/c/x" })],
    ["a write to a collection", write({ delete: `${ROOT}/c` })],
    ["a write to a document with an empty id", write({ delete: `${ROOT}/c/` })],
    ["a value without a type", write({ update: { name: `${ROOT}/c/x`, fields: { n: {} } } })],
    ["a pipeline value", write({ update: { name: `${ROOT}/c/x`, fields: { n: { fieldReferenceValue: "m" } } } })],
    ["an increment by a string", transform({ increment: { stringValue: "1" } })],
    ["a transform of an unknown kind", transform({})],
    ["an unknown transaction", ["Commit", { database: DATABASE, writes: [], transaction: Buffer.from("none") }]],
    [
      "a read in an unknown transaction",
      ["BatchGetDocuments", { database: DATABASE, documents: [`${ROOT}/c/x`], transaction: Buffer.from("none") }],
    ],
    ["a single read in an unknown transaction", ["GetDocument", { name: `${ROOT}/c/x`, transaction: Buffer.from("none") }]],
    ["a single read of a collection", ["GetDocument", { name: `${ROOT}/c` }]],
    ["a single read of a database", ["GetDocument", { name: DATABASE }]],
    ["a rollback of an unknown transaction", ["Rollback", { database: DATABASE, transaction: Buffer.from("none") }]],
    ["a read in the future", ["BatchGetDocuments", { database: DATABASE, documents: [], readTime: { seconds: "99999999999" } }]],
    [
      "a document written twice in a BatchWrite",
      ["BatchWrite", { database: DATABASE, writes: [{ delete: `${ROOT}/c/x` }, { delete: `${ROOT}/c/x` }] }],
    ],
    ["an invalid database name", ["Commit", { database: "projects/demo-wire", writes: [] }]],
    ["a list without a collection", ["ListDocuments", { parent: ROOT }]],
  ] as const)("with %s is refused with INVALID_ARGUMENT", async (_what, [method, request]) => {
    expect(await answer(method, request)).toMatchObject({ code: 3 });
  });

  it("larger than 10 MiB is refused with RESOURCE_EXHAUSTED", async () => {
    const writes = Array.from({ length: 11 }, (_, n) => ({
      update: { name: `${ROOT}/c/${n}`, fields: { text: { stringValue: "x".repeat(1_000_000) } } },
    }));
    expect(await answer("Commit", { database: DATABASE, writes })).toMatchObject({ code: 8 });
  });

  it("for another project is refused with NOT_FOUND", async () => {
    expect(await answer("Commit", { database: "projects/demo-other/databases/(default)", writes: [] })).toMatchObject({ code: 5 });
  });
});

describe("unsupported methods", () => {
  it.each([
    ["vector search", query({ findNearest: { vectorField: { fieldPath: "v" } } })],
    ["explaining", ["RunQuery", { parent: ROOT, structuredQuery: { from: [{ collectionId: "c" }] }, explainOptions: {} }]],
    ["listing in a custom order", ["ListDocuments", { parent: ROOT, collectionId: "c", orderBy: "n desc" }]],
    ["listing collections of the past", ["ListCollectionIds", { parent: ROOT, readTime: { seconds: "1" } }]],
    ["splitting a query", ["PartitionQuery", { parent: ROOT }]],
    ["pipelines", ["ExecutePipeline", { database: DATABASE }]],
  ] as const)("%s is refused with UNIMPLEMENTED", async (_what, [method, request]) => {
    expect(await answer(method, request)).toMatchObject({ code: 12 });
  });
});
