import type {
  handleBidiStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  Metadata,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { status } from "@grpc/grpc-js";
import type { Database } from "./database.ts";
import { Listening } from "./listen.ts";
import { listCollections, listDocuments } from "./listing.ts";
import { parseParent } from "./names.ts";
import { type Authorise, LIST, type Permission, permissionsOf, QUERY, READ, TRANSACT } from "./permissions.ts";
import { aggregation, batchGet, get, query } from "./reads.ts";
import { asRefusal } from "./refusal.ts";
import type { Write } from "./wire.ts";
import type * as calls from "./wire-calls.ts";

/** Returns the database of a name. Throws a `Refusal` if this server does not serve that name. */
export type Databases = (name: string) => Database;

/** The supported methods of google.firestore.v1.Firestore. grpc-js answers all others with UNIMPLEMENTED. */
export function firestoreHandlers(databases: Databases, authorise: Authorise): UntypedServiceImplementation {
  const ofParent = (parent: string) => databases(parseParent(parent).database);
  const databaseOf = ({ name }: calls.GetRequest): string => parseParent(name).database;
  const inDatabase = (permissions: readonly Permission[]) => (request: { readonly database: string }, metadata: Metadata) =>
    authorise(metadata, request.database, permissions);
  const below = (permissions: readonly Permission[]) => (request: { readonly parent: string }, metadata: Metadata) =>
    authorise(metadata, parseParent(request.parent).database, permissions);
  const writing = (request: { readonly database: string; readonly writes: readonly Write[] }, metadata: Metadata) =>
    authorise(metadata, request.database, permissionsOf(request.writes));
  return {
    getDocument: unary(
      (request: calls.GetRequest, metadata) => authorise(metadata, databaseOf(request), READ),
      (request, peer) => get(databases(databaseOf(request)), request, peer),
    ),
    batchGetDocuments: streaming(inDatabase(READ), (request: calls.BatchGetRequest, peer) =>
      batchGet(databases(request.database), request, peer),
    ),
    runQuery: streaming(below(QUERY), (request: calls.RunQueryRequest, peer) => query(ofParent(request.parent), request, peer)),
    runAggregationQuery: streaming(below(QUERY), (request: calls.RunAggregationRequest, peer) =>
      aggregation(ofParent(request.parent), request, peer),
    ),
    beginTransaction: unary(inDatabase(TRANSACT), async (request: calls.BeginRequest, peer): Promise<calls.BeginResponse> => {
      return { transaction: databases(request.database).transactions.begin(request.options, peer).id };
    }),
    commit: unary(writing, (request: calls.CommitRequest, peer) =>
      databases(request.database).commit(request.writes, request.transaction, peer),
    ),
    rollback: unary(inDatabase(TRANSACT), async (request: calls.RollbackRequest, peer): Promise<object> => {
      const { transactions } = databases(request.database);
      await transactions.within(request.transaction, peer, (transaction) => transactions.end(transaction));
      return {};
    }),
    batchWrite: unary(writing, (request: calls.BatchWriteRequest) => databases(request.database).batchWrite(request.writes)),
    listDocuments: unary(below(QUERY), (request: calls.ListDocumentsRequest, peer) => {
      const { store, transactions } = ofParent(request.parent);
      return transactions.read(request, peer, [`#${request.collectionId}`], ({ view }) => listDocuments(store, view, request));
    }),
    listCollectionIds: unary(below(LIST), async (request: calls.ListCollectionsRequest) =>
      listCollections(ofParent(request.parent).store, request),
    ),
    listen: listening(databases, inDatabase(QUERY)),
  };
}

/** Throws if the caller may not do what it asks for. */
type Check<Q> = (request: Q, metadata: Metadata) => void;

function unary<Q, S>(check: Check<Q>, answer: (request: Q, peer: string) => Promise<S>): handleUnaryCall<Q, S> {
  return async (call, callback) => {
    try {
      check(call.request, call.metadata);
      callback(null, await answer(call.request, call.getPeer()));
    } catch (error) {
      callback(toStatus(error));
    }
  };
}

function streaming<Q, S>(check: Check<Q>, answer: (request: Q, peer: string) => Promise<readonly S[]>): handleServerStreamingCall<Q, S> {
  return async (call) => {
    try {
      check(call.request, call.metadata);
      for (const response of await answer(call.request, call.getPeer())) call.write(response);
      call.end();
    } catch (error) {
      call.emit("error", toStatus(error));
    }
  };
}

/** A refused target is removed with the error as its cause. The stream stays open. */
function listening(
  databases: Databases,
  check: Check<calls.ListenRequest>,
): handleBidiStreamingCall<calls.ListenRequest, calls.ListenResponse> {
  return (call) => {
    let open: Listening | undefined;
    const close = () => open?.close();
    call.on("data", (request: calls.ListenRequest) => {
      try {
        check(request, call.metadata);
        open ??= new Listening(databases(request.database), (response) => call.write(response));
        open.request(request);
      } catch (error) {
        const { code, details } = toStatus(error);
        const targetIds = request.addTarget === undefined ? [] : [request.addTarget.targetId];
        call.write({ targetChange: { targetChangeType: "REMOVE", targetIds, cause: { code, message: details } } });
      }
    });
    call.on("cancelled", close);
    call.on("end", () => {
      close();
      call.end();
    });
  };
}

/** Converts an error to a gRPC status. Internal errors become INTERNAL with their stack: this server is for developers. */
function toStatus(error: unknown): { readonly code: status; readonly details: string } {
  const refusal = asRefusal(error);
  if (refusal) return { code: refusal.code, details: refusal.message };
  return { code: status.INTERNAL, details: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
