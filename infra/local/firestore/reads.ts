import { aggregate, aggregatedFields } from "./aggregate.ts";
import { checkIndexed } from "./composite-index.ts";
import { type Database, queryLockKeys } from "./database.ts";
import { wireDocument } from "./document.ts";
import { parseDocumentName } from "./names.ts";
import { planQuery } from "./plan.ts";
import { runQuery } from "./query.ts";
import { invalid, missing, unsupported } from "./refusal.ts";
import { toWire } from "./time.ts";
import type { Reading } from "./transactions.ts";
import type { WireDocument } from "./wire.ts";
import type {
  BatchGetRequest,
  BatchGetResponse,
  GetRequest,
  RunAggregationRequest,
  RunAggregationResponse,
  RunQueryRequest,
  RunQueryResponse,
} from "./wire-calls.ts";

/** Returns the requested documents in order, found or missing. */
export function batchGet(database: Database, request: BatchGetRequest, peer: string): Promise<BatchGetResponse[]> {
  const names = request.documents.map((name) => parseDocumentName(database.name, name).name);
  return database.transactions.read(request, peer, names, (reading) => {
    const readTime = toWire(reading.readTime);
    const responses: BatchGetResponse[] = names.map((name) => {
      const document = reading.view.get(name);
      return document === undefined ? { missing: name, readTime } : { found: wireDocument(document, request.mask), readTime };
    });
    return withTransaction(responses, reading);
  });
}

/** Returns a document. Throws NOT_FOUND if there is none. */
export async function get(database: Database, request: GetRequest, peer: string): Promise<WireDocument> {
  const { name } = parseDocumentName(database.name, request.name);
  const document = await database.transactions.read(request, peer, [name], ({ view }) => view.get(name));
  if (document === undefined) throw missing(name);
  return wireDocument(document, request.mask);
}

/** Returns the documents of a query, one per response. An empty result is one response without a document. */
export function query(database: Database, request: RunQueryRequest, peer: string): Promise<RunQueryResponse[]> {
  if (request.explainOptions !== null) throw unsupported("Explaining a query");
  const plan = planQuery(request.parent, request.structuredQuery);
  if (database.indexes) checkIndexed(plan, database.indexes);
  return database.transactions.read(request, peer, queryLockKeys(plan), (reading) => {
    const readTime = toWire(reading.readTime);
    const documents = runQuery(reading.view, plan);
    const responses = documents.map((document): RunQueryResponse => ({ document: wireDocument(document, plan.mask), readTime }));
    return withTransaction(responses.length === 0 ? [{ readTime }] : responses, reading);
  });
}

/** Returns the aggregations over a query's documents in one response. */
export function aggregation(database: Database, request: RunAggregationRequest, peer: string): Promise<RunAggregationResponse[]> {
  if (request.explainOptions !== null) throw unsupported("Explaining a query");
  const asked = request.structuredAggregationQuery;
  if (asked === undefined) throw invalid("An aggregation query is missing.");
  const plan = planQuery(request.parent, asked.structuredQuery, aggregatedFields(asked.aggregations));
  if (database.indexes) checkIndexed(plan, database.indexes);
  return database.transactions.read(request, peer, queryLockKeys(plan), (reading) => {
    const aggregateFields = aggregate(runQuery(reading.view, plan), asked.aggregations);
    const response: RunAggregationResponse = { result: { aggregateFields }, readTime: toWire(reading.readTime) };
    return withTransaction([response], reading);
  });
}

/** Prepends a response with the new transaction's id. The protocol sends it in its own response for queries. */
function withTransaction<T extends { readonly transaction?: Buffer }>(responses: T[], { begun }: Reading): (T | { transaction: Buffer })[] {
  return begun === undefined ? responses : [{ transaction: begun }, ...responses];
}
