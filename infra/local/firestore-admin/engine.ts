import { Client, credentials, type MethodDefinition, type ServiceError } from "@grpc/grpc-js";
import { firestoreService } from "../firestore/protos.ts";
import { toMicros, toWire } from "../firestore/time.ts";
import type { WireDocument, WireTimestamp } from "../firestore/wire.ts";

/**
 * The databases of a running Firestore engine, the embedded one or Google's emulator: both serve a database as soon as it is named. It speaks
 * the wire's messages, because Google's client follows FIRESTORE_EMULATOR_HOST of the environment to another engine.
 */
export interface Engine {
  /** Copies all documents as they were at a time, by default now. Returns their number and the time. Rejects with the engine's refusal. */
  copy(source: string, target: string, at?: Date): Promise<{ readonly documents: number; readonly at: Date }>;
  /** Deletes all documents. */
  clear(database: string): Promise<void>;
  /** The texts kept in a collection of a database. */
  texts(database: string, collection: string): Promise<string[]>;
  /** Keeps a text as the document `collection/id`. Rejects with ALREADY_EXISTS. */
  addText(database: string, path: string, text: string): Promise<void>;
  remove(database: string, path: string): Promise<void>;
  close(): void;
}

/** The real service's limits of a request: writes, and bytes, with room for their envelope. */
const WRITES_MAX = 500;
const BYTES_MAX = 8 * 1024 * 1024;
/** The field of a kept text. */
const TEXT = "text";

interface QueryResponse {
  readonly document: WireDocument | null;
  readonly readTime: WireTimestamp | null;
}

/** Connects to the engine at `host:port`. */
export function connectEngine(address: string, project: string): Engine {
  const service = firestoreService();
  const client = new Client(address, credentials.createInsecure());
  const nameOf = (id: string): string => `projects/${project}/databases/${id}`;

  const method = (name: string): MethodDefinition<object, QueryResponse> => {
    const found = service[name];
    if (!found) throw new Error(`the client's package describes no ${name}`);
    return found;
  };
  const query = method("RunQuery");
  const commit = method("Commit");

  const run = (database: string, from: object, more: object = {}): AsyncIterable<QueryResponse> =>
    client.makeServerStreamRequest(query.path, query.requestSerialize, query.responseDeserialize, {
      parent: `${nameOf(database)}/documents`,
      structuredQuery: { from: [from] },
      ...more,
    });
  /** Every document below the root, in one query: one state of the database. */
  const read = (source: string, at: Date | undefined): AsyncIterable<QueryResponse> =>
    run(source, { allDescendants: true }, at === undefined ? {} : { readTime: toWire(at.getTime() * 1000) });
  const write = (target: string, writes: readonly object[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const answer = (error: ServiceError | null): void => (error ? reject(error) : resolve());
      const request = { database: nameOf(target), writes };
      client.makeUnaryRequest(commit.path, commit.requestSerialize, commit.responseDeserialize, request, answer);
    });

  return {
    async copy(source, target, at) {
      let documents = 0;
      let time = at ?? new Date();
      let writes: object[] = [];
      let bytes = 0;
      for await (const { document, readTime } of read(source, at)) {
        if (at === undefined && readTime) time = new Date(toMicros(readTime) / 1000);
        if (!document) continue;
        const size = JSON.stringify(document.fields).length;
        if (writes.length === WRITES_MAX || (writes.length > 0 && bytes + size > BYTES_MAX)) {
          await write(target, writes);
          writes = [];
          bytes = 0;
        }
        const name = `${nameOf(target)}${document.name.slice(nameOf(source).length)}`;
        writes.push({ update: { name, fields: document.fields } });
        bytes += size;
        documents += 1;
      }
      if (writes.length > 0) await write(target, writes);
      return { documents, at: time };
    },
    async clear(database) {
      const response = await fetch(`http://${address}/emulator/v1/${nameOf(database)}/documents`, {
        method: "DELETE",
        headers: { authorization: "Bearer owner" },
      });
      if (!response.ok) throw new Error(`The engine did not clear ${database}: ${response.status} ${await response.text()}`);
    },
    async texts(database, collectionId) {
      const texts: string[] = [];
      for await (const { document } of run(database, { collectionId })) {
        const text = document?.fields[TEXT];
        if (text?.valueType === "stringValue") texts.push(text.stringValue);
      }
      return texts;
    },
    addText(database, path, text) {
      const fields = { [TEXT]: { stringValue: text } };
      return write(database, [{ update: { name: `${nameOf(database)}/documents/${path}`, fields }, currentDocument: { exists: false } }]);
    },
    remove: (database, path) => write(database, [{ delete: `${nameOf(database)}/documents/${path}` }]),
    close: () => client.close(),
  };
}
