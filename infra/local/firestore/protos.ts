import { readFileSync } from "node:fs";
import type { ServiceDefinition } from "@grpc/grpc-js";
import { fromJSON } from "@grpc/proto-loader";
import type { WireDocument } from "./wire.ts";

/** Loads google.firestore.v1.Firestore from the definition in the client's package. Throws if it is missing. */
export function firestoreService(): ServiceDefinition {
  const description = new URL("build/protos/v1.json", import.meta.resolve("@google-cloud/firestore/package.json"));
  const definition = fromJSON(JSON.parse(readFileSync(description, "utf8")), {
    longs: String,
    enums: String,
    defaults: true,
    oneofs: true,
  });
  const service = definition["google.firestore.v1.Firestore"];
  if (service === undefined || "format" in service) throw new Error("the client's package describes no google.firestore.v1.Firestore");
  return service;
}

export interface DocumentCodec {
  readonly encode: (document: WireDocument) => Buffer;
  readonly decode: (bytes: Buffer) => WireDocument;
}

/** Encodes and decodes google.firestore.v1.Document, in the form of `wire.ts`. */
export function documentCodec({ GetDocument: method }: ServiceDefinition): DocumentCodec {
  if (method === undefined) throw new Error("the client's package describes no GetDocument");
  return { encode: method.responseSerialize, decode: method.responseDeserialize };
}
