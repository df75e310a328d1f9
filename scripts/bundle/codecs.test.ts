import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { runInThisContext } from "node:vm";
import { fromJSON, type ServiceDefinition } from "@grpc/proto-loader";
import fc from "fast-check";
import * as v from "valibot";
import { expect, it } from "vitest";
import { codecs } from "./codecs.ts";
import { prunedProtos } from "./protos.ts";

const SERVICE = "google.firestore.v1.Firestore";
const OPTIONS = { keepCase: false, longs: String, enums: String, defaults: true, oneofs: true };
const require = createRequire(import.meta.url);
const Definition = v.custom<ServiceDefinition>((value) => value instanceof Object);

/** What a bundle has, and what gRPC's own loader makes of the same descriptors. */
const path = fileURLToPath(
  new URL("../firestore-api/build/protos/protos.json", import.meta.resolve("@google-cloud/firestore/package.json")),
);
const json = prunedProtos(readFileSync(path, "utf8"), { service: SERVICE, methods: ["BatchGetDocuments", "Commit"] });
const generated = v.parse(Definition, evaluate(codecs(json, SERVICE, path)));
const reflected = v.parse(Definition, fromJSON(JSON.parse(json), OPTIONS)[SERVICE]);

const { BatchGetDocuments: read, Commit: commit } = generated;
const { BatchGetDocuments: expectedRead, Commit: expectedCommit } = reflected;

function evaluate(source: string): unknown {
  const module = { exports: {} };
  runInThisContext(`(function (require, module) {${source}\n})`)(require, module);
  return require("./stand-ins/proto-loader.cjs").fromJSON(module.exports, OPTIONS)[SERVICE];
}

const seconds = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
const timestamp = fc.record({ seconds, nanos: fc.integer({ min: 0, max: 999_999_999 }) }, { requiredKeys: [] });
const { value } = fc.letrec<{ value: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constant({ nullValue: "NULL_VALUE" }),
    fc.record({ booleanValue: fc.boolean() }),
    fc.record({ integerValue: seconds }),
    fc.record({ doubleValue: fc.double() }),
    fc.record({ timestampValue: timestamp }),
    fc.record({ stringValue: fc.string({ unit: "binary" }) }),
    fc.record({ bytesValue: fc.uint8Array().map((bytes) => Buffer.from(bytes)) }),
    fc.record({ geoPointValue: fc.record({ latitude: fc.double(), longitude: fc.double() }) }),
    fc.record({ arrayValue: fc.record({ values: fc.array(tie("value"), { maxLength: 3 }) }) }),
    fc.record({ mapValue: fc.record({ fields: fc.dictionary(fc.string(), tie("value"), { maxKeys: 3 }) }) }),
  ),
}));
const document = fc.record({ name: fc.string(), fields: fc.dictionary(fc.string(), value, { maxKeys: 3 }), updateTime: timestamp });
const write = fc.record(
  {
    update: document,
    updateMask: fc.record({ fieldPaths: fc.array(fc.string()) }),
    updateTransforms: fc.array(fc.record({ fieldPath: fc.string(), setToServerValue: fc.constantFrom("REQUEST_TIME", 1) }), {
      maxLength: 2,
    }),
    currentDocument: fc.oneof(fc.record({ exists: fc.boolean() }), fc.record({ updateTime: timestamp })),
  },
  { requiredKeys: [] },
);

it("generated code has the paths and kinds of the methods", () => {
  const shapes = (definition: ServiceDefinition) =>
    Object.entries(definition).map(([name, { path, requestStream, responseStream, originalName }]) => ({
      ...{ name, path, requestStream, responseStream, originalName },
    }));
  expect(shapes(generated)).toEqual(shapes(reflected));
});

it("generated code encodes requests to the bytes of gRPC's loader", () => {
  const request = fc.record({
    database: fc.string(),
    writes: fc.array(write, { maxLength: 3 }),
    transaction: fc.constant(Buffer.from("t")),
  });
  fc.assert(
    fc.property(request, (message) => {
      expect(commit?.requestSerialize(message)).toEqual(expectedCommit?.requestSerialize(message));
    }),
    { seed: 1, numRuns: 200 },
  );
});

it("generated code decodes responses like gRPC's loader", () => {
  const response = fc.record({ found: document, readTime: timestamp, transaction: fc.constant(Buffer.from("t")) }, { requiredKeys: [] });
  fc.assert(
    fc.property(response, (message) => {
      const bytes = expectedRead?.responseSerialize(message) ?? Buffer.alloc(0);
      expect(read?.responseDeserialize(bytes)).toEqual(expectedRead?.responseDeserialize(bytes));
    }),
    { seed: 1, numRuns: 200 },
  );
});

it("generated code refuses what is no message", () => {
  expect(() => commit?.requestSerialize({ writes: [{ update: "text" }] })).toThrow("object expected");
  expect(() => read?.responseDeserialize(Buffer.from([10, 200]))).toThrow("index out of range");
});
