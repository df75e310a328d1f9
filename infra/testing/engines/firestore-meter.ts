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

type Add = (path: string, reads: number, writes: number) => void;

const NOTHING: Costs = { reads: 0, writes: 0 };
/** `database` or `parent` is the name of the database, or begins with it. */
const Request = v.object({
  database: v.optional(v.string(), ""),
  parent: v.optional(v.string(), ""),
  documents: v.optional(v.array(v.unknown()), []),
  writes: v.optional(v.array(v.unknown()), []),
});
const Answer = v.object({ document: v.nullish(v.unknown()) });
const raw = (bytes: Buffer): Buffer => bytes;

/** Starts a proxy of a Firestore that counts the operations on the wire. `take` returns the costs since its last call. */
export async function startFirestoreMeter(target: string) {
  const client = new Client(target, credentials.createInsecure());
  let costs: FirestoreCosts = { ...NOTHING, usage: NOTHING };
  const add: Add = (path, reads, writes) => {
    const sum = (one: Costs): Costs => ({ reads: one.reads + reads, writes: one.writes + writes });
    costs = /\/databases\/usage(\/|$)/.test(path) ? { ...costs, usage: sum(costs.usage) } : { ...sum(costs), usage: costs.usage };
  };
  const server = new Server();
  const [definitions, handlers] = proxied(client, add);
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

/** Every method of the service, with raw bytes as messages. */
function proxied(client: Client, add: Add): [ServiceDefinition, Record<string, Handler>] {
  const methods = Object.entries(firestoreService());
  const definitions = methods.map(([name, method]): [string, MethodDefinition<Buffer, Buffer>] => [
    name,
    { ...method, requestSerialize: raw, requestDeserialize: raw, responseSerialize: raw, responseDeserialize: raw },
  ]);
  const handlers = methods.map(([name, method]): [string, Handler] => [name, handlerOf(client, method, add)]);
  return [Object.fromEntries(definitions), Object.fromEntries(handlers)];
}

function handlerOf(client: Client, method: MethodDefinition<unknown, unknown>, add: Add): Handler {
  const { path } = method;
  const count = (bytes: Buffer): string => {
    const { database, parent, documents, writes } = v.parse(Request, method.requestDeserialize(bytes));
    add(database || parent, documents.length, writes.length);
    return database || parent;
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
        if (path.endsWith("/RunQuery") && v.parse(Answer, method.responseDeserialize(bytes)).document) add(counted, 1, 0);
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
