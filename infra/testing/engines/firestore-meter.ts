import {
  Client,
  credentials,
  type handleBidiStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServiceDefinition,
} from "@grpc/grpc-js";
import * as v from "valibot";
import { firestoreService } from "../../local/firestore/protos.ts";

/** The documents that were read and written, as Firestore bills them. */
interface Costs {
  readonly reads: number;
  readonly writes: number;
}

/** The costs in the main database, and those in the database `usage`. */
interface FirestoreCosts extends Costs {
  readonly usage: Costs;
}

/** One billed operation on a document, or a transaction that starts again after it was aborted. */
export interface FirestoreOperation {
  readonly kind: "read" | "write" | "retry";
  readonly isUsage: boolean;
  /** The document's collection; empty for a retry. */
  readonly collection: string;
}

/** `documents` are the names of those that are read or written. */
type Add = (path: string, kind: "read" | "write", documents: readonly string[]) => void;

const NOTHING: Costs = { reads: 0, writes: 0 };
const Named = v.object({ name: v.string() });
/** Of a transaction. One that starts again names its predecessor. */
const Options = v.nullish(v.object({ readWrite: v.nullish(v.object({ retryTransaction: v.nullish(v.instance(Uint8Array)) })) }));
/** `name`, `database` or `parent` is the name of the database, or begins with it. */
const Request = v.object({
  name: v.optional(v.string(), ""),
  database: v.optional(v.string(), ""),
  parent: v.optional(v.string(), ""),
  documents: v.optional(v.array(v.string()), []),
  writes: v.optional(
    v.array(
      v.object({ update: v.nullish(Named), delete: v.nullish(v.string()), transform: v.nullish(v.object({ document: v.string() })) }),
    ),
    [],
  ),
  options: Options,
  newTransaction: Options,
});
const Answer = v.object({ document: v.nullish(Named) });
const raw = (bytes: Buffer): Buffer => bytes;

/**
 * Starts a proxy of a Firestore that counts the operations on the wire. `take` returns the costs since its last call.
 * @param note is told each operation
 */
export async function startFirestoreMeter(target: string, note: (operation: FirestoreOperation) => void = () => undefined) {
  const client = new Client(target, credentials.createInsecure());
  let costs: FirestoreCosts = { ...NOTHING, usage: NOTHING };
  const isUsage = (path: string): boolean => /\/databases\/usage(\/|$)/.test(path);
  const add: Add = (path, kind, documents) => {
    const [reads, writes] = kind === "read" ? [documents.length, 0] : [0, documents.length];
    const sum = (one: Costs): Costs => ({ reads: one.reads + reads, writes: one.writes + writes });
    costs = isUsage(path) ? { ...costs, usage: sum(costs.usage) } : { ...sum(costs), usage: costs.usage };
    for (const document of documents) note({ kind, isUsage: isUsage(path), collection: document.split("/").at(-2) ?? "" });
  };
  const server = new Server();
  const retried = (path: string): void => note({ kind: "retry", isUsage: isUsage(path), collection: "" });
  const [definitions, handlers] = proxied(client, { add, retried });
  server.addService(definitions, handlers);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  return {
    address: `127.0.0.1:${port}`,
    take: (): FirestoreCosts => {
      const taken = costs;
      costs = { ...NOTHING, usage: NOTHING };
      return taken;
    },
    close: () => {
      server.forceShutdown();
      client.close();
    },
  };
}

type Handler = handleUnaryCall<Buffer, Buffer> | handleServerStreamingCall<Buffer, Buffer> | handleBidiStreamingCall<Buffer, Buffer>;

interface Counting {
  readonly add: Add;
  readonly retried: (path: string) => void;
}

/** Every method of the service, with raw bytes as messages. */
function proxied(client: Client, counting: Counting): [ServiceDefinition, Record<string, Handler>] {
  const methods = Object.entries(firestoreService());
  const definitions = methods.map(([name, method]): [string, MethodDefinition<Buffer, Buffer>] => [
    name,
    { ...method, requestSerialize: raw, requestDeserialize: raw, responseSerialize: raw, responseDeserialize: raw },
  ]);
  const handlers = methods.map(([name, method]): [string, Handler] => [name, handlerOf(client, method, counting)]);
  return [Object.fromEntries(definitions), Object.fromEntries(handlers)];
}

function handlerOf(client: Client, method: MethodDefinition<unknown, unknown>, { add, retried }: Counting): Handler {
  const { path } = method;
  const count = (bytes: Buffer): string => {
    const { name, database, parent, documents, writes, options, newTransaction } = v.parse(Request, method.requestDeserialize(bytes));
    const resource = database || parent || name;
    add(resource, "read", path.endsWith("/GetDocument") ? [name] : documents);
    add(
      resource,
      "write",
      writes.map((write) => write.update?.name || write.delete || write.transform?.document || ""),
    );
    if ((options ?? newTransaction)?.readWrite?.retryTransaction?.length) retried(resource);
    return resource;
  };
  if (method.requestStream)
    return ((call) => {
      const forwarded = client.makeBidiStreamRequest(path, raw, raw, call.metadata);
      call.on("data", (bytes: Buffer) => forwarded.write(bytes));
      call.on("end", () => forwarded.end());
      forwarded.on("data", (bytes: Buffer) => call.write(bytes));
      forwarded.on("end", () => call.end());
      forwarded.on("error", (error) => call.emit("error", error));
    }) satisfies handleBidiStreamingCall<Buffer, Buffer>;
  if (method.responseStream)
    return ((call) => {
      const counted = count(call.request);
      const forwarded = client.makeServerStreamRequest(path, raw, raw, call.request, call.metadata);
      forwarded.on("data", (bytes: Buffer) => {
        // A document of a query counts as a read. Documents requested by name were counted with the request.
        const found = path.endsWith("/RunQuery") && v.parse(Answer, method.responseDeserialize(bytes)).document;
        if (found) add(counted, "read", [found.name]);
        call.write(bytes);
      });
      forwarded.on("error", (error) => call.emit("error", error));
      forwarded.on("end", () => call.end());
    }) satisfies handleServerStreamingCall<Buffer, Buffer>;
  return ((call, callback) => {
    count(call.request);
    client.makeUnaryRequest(path, raw, raw, call.request, call.metadata, (error, answer) => callback(error, answer));
  }) satisfies handleUnaryCall<Buffer, Buffer>;
}
