import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Loader, OnLoadResult, Plugin } from "esbuild";
import * as v from "valibot";
import { codecs } from "./codecs.ts";
import { packageOf } from "./package-of.ts";
import { prunedProtos } from "./protos.ts";
import { BUILTINS, standIns } from "./stand-ins.ts";

/** The gRPC methods that the functions call, by package. */
const CALLED = new Map([
  [
    "@google-cloud/firestore-api",
    {
      service: "google.firestore.v1.Firestore",
      methods: [
        "BatchGetDocuments",
        "BatchWrite",
        "BeginTransaction",
        "Commit",
        "GetDocument",
        "ListCollectionIds",
        "ListDocuments",
        "Rollback",
        "RunAggregationQuery",
        "RunQuery",
      ],
    },
  ],
  ["@google-cloud/pubsub-api", { service: "google.pubsub.v1.Publisher", methods: ["Publish"] }],
  ["@google-cloud/tasks", { service: "google.cloud.tasks.v2.CloudTasks", methods: ["CreateTask"] }],
  ["@google-cloud/iam-credentials", { service: "google.iam.credentials.v1.IAMCredentials", methods: ["GenerateAccessToken", "SignBlob"] }],
]);

/** Functions of packages that load when first called: clients need them to report an error. */
const LAZY_FUNCTIONS = new Map([["html-entities", ["decode", "encode"]]]);

/** The media types that express names by themselves: those of the answers that the framework makes. Functions name theirs, and serve no files. */
const MEDIA_TYPES = ["application/json", "application/octet-stream", "text/html", "text/plain"];

/** Clients that load when first constructed, not when a function starts: a rejected request needs none. */
const LAZY = new Map([
  ["@google-cloud/bigquery", "BigQuery"],
  ["@google-cloud/iam-credentials", "IAMCredentialsClient"],
  ["@google-cloud/pubsub", "PubSub"],
  ["@google-cloud/storage", "Storage"],
  ["@google-cloud/tasks", "CloudTasksClient"],
]);

const replaced = new Map(
  standIns.flatMap(({ package: name, files, contents }) => files.map((file): [string, string] => [`${name}/${file}`, contents])),
);

/** Removes unused parts of the clients and loads the clients lazily. `framework` is the path of the framework in an archive. */
export function trim(framework: string): Plugin {
  return {
    name: "trim",
    setup: (build) => {
      build.onResolve({ filter: /^@google-cloud\/functions-framework$/ }, () => ({ path: framework, external: true }));
      build.onResolve({ filter: /^@google-cloud\/[\w-]+$/ }, ({ path, importer, namespace }) =>
        LAZY.has(path) && namespace !== "lazy" && packageOf(importer) === undefined
          ? { path, namespace: "lazy", sideEffects: false }
          : undefined,
      );
      build.onResolve({ filter: /^[a-z_]+$/ }, ({ importer, path }) =>
        BUILTINS.has(path) && packageOf(importer) ? { path, namespace: "stand-in" } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: "stand-in" }, ({ path }) => ({ contents: BUILTINS.get(path) ?? "" }));
      build.onResolve({ filter: /^[\w-]+$/ }, ({ path, namespace }) =>
        LAZY_FUNCTIONS.has(path) && namespace !== "lazy" ? { path, namespace: "lazy" } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: "lazy" }, ({ path }) => ({
        contents:
          LAZY_FUNCTIONS.get(path)
            ?.map((name) => lazyFunction(path, name))
            .join("\n") ?? lazily(path, LAZY.get(path) ?? ""),
        resolveDir: build.initialOptions.absWorkingDir ?? ".",
      }));
      build.onLoad({ filter: /\/shared\/openapi\/swagger-ui\.ts$/ }, ({ path }) => read(path, importTexts, "ts"));
    },
  };
}

/** Replaces files of packages by what functions reach of them. */
export function replaceFiles(): Plugin {
  return {
    name: "replace-files",
    setup: ({ onLoad }) => onLoad({ filter: /\/node_modules\/.*\.(c?js|json)$/ }, ({ path }) => loaded(path)),
  };
}

function lazyFunction(path: string, name: string): string {
  return `export const ${name} = (...values) => require("${path}").${name}(...values);`;
}

function lazily(path: string, client: string): string {
  return `const load = () => require("${path}").${client};
export const ${client} = new Proxy(class {}, {
  construct: (_class, options) => Reflect.construct(load(), options),
  get: (_class, name) => load()[name],
});`;
}

/** Returns the replaced content of a package's file, or undefined to bundle it unchanged. */
function loaded(path: string): OnLoadResult | undefined {
  const owner = packageOf(path);
  if (!owner) return undefined;
  const file = path.slice(owner.folder.length + 1);
  const contents = replaced.get(`${owner.name}/${file}`);
  if (contents !== undefined) return { contents, loader: "js", resolveDir: dirname(path) };
  const called = CALLED.get(owner.name);
  if (called && basename(file) === "protos.json") {
    const contents = codecs(prunedProtos(readFileSync(path, "utf8"), called), called.service, path);
    return { contents, loader: "js", resolveDir: dirname(path) };
  }
  if (owner.name === "@opentelemetry/api" && file === "build/src/index.js") return read(path, exportLazily, "js");
  if (owner.name === "@google-cloud/firestore" && file === "build/src/backoff.js") return read(path, attemptAtOnce, "js");
  if (owner.name === "@google-cloud/firestore" && file === "build/src/index.js") return read(path, withoutLogStream, "js");
  if (owner.name === "google-gax" && file === "build/src/googleError.js") return read(path, decodeDetailsOnly, "js");
  if (owner.name === "mime-db" && file === "db.json") return read(path, onlyMediaTypes, "json");
  if (owner.name === "@google-cloud/tasks" && file.endsWith("/cloud_tasks_client.cjs")) return read(path, requireJson, "js");
  return undefined;
}

function read(path: string, change: (text: string) => string, loader: Loader): OnLoadResult {
  return { contents: change(readFileSync(path, "utf8")), loader, resolveDir: dirname(path) };
}

/** Has a module that only exports what others do load each of them when it is used. The text is TypeScript's for `export { name } from "module"`. */
function exportLazily(text: string): string {
  return text
    .replaceAll(/^(?:var|const) (\w+_\d+) = require\("([^"]+)"\);$/gm, `const $1 = () => require("$2");`)
    .replaceAll(/return (\w+_\d+)\./g, "return $1().")
    .replace(/^exports\.default = \{[^}]*\};$/m, "");
}

/** Firestore's client waits before each call for a backoff that is 0 ms at first. A timer makes that a millisecond and more. */
function attemptAtOnce(text: string): string {
  return text.replace(
    "exports.delayExecution = setTimeout;",
    "exports.delayExecution = (run, ms) => (ms > 0 ? setTimeout(run, ms) : setImmediate(run));",
  );
}

/** Firestore's client pipes each streamed answer into a stream for its debug logs and spans, which are not in the bundles. */
function withoutLogStream(text: string): string {
  return text.replace(/const logStream = new stream_1\.Transform\(\{.*?stream\.pipe\(logStream\);/s, "");
}

/** The clients build the decoder of an error's details, 3 ms of a process's first error, also for errors without any: a document that does not exist. */
function decodeDetailsOnly(text: string): string {
  return text.replace("static parseGRPCStatusDetails(err) {", "$& if (!err.metadata?.get('grpc-status-details-bin').length) return err;");
}

function onlyMediaTypes(json: string): string {
  const types = v.parse(v.record(v.string(), v.unknown()), JSON.parse(json));
  return JSON.stringify(Object.fromEntries(MEDIA_TYPES.map((type) => [type, types[type]])));
}

/** The page of the documents reads Swagger UI's files at run time; an import of their texts makes the bundle include them. */
function importTexts(text: string): string {
  return text
    .replaceAll(/^import .*$/gm, "")
    .replaceAll(
      /export const (\w+) = readFileSync\(new URL\(import\.meta\.resolve\("([^"]+)"\)\), "utf8"\);/g,
      (_all, name: string, file: string) => `import ${name} from "${file}" with { type: "text" };\nexport { ${name} };`,
    );
}

/** Cloud Tasks' client reads JSON files from its folder at run time; `require` makes the bundle include them. */
function requireJson(text: string): string {
  return text.replaceAll(/\(0, _jsonHelper\.getJSON\)\(_path\["default"\]\.join\(dirname, ([^)]+)\)\)/g, (_all, parts: string) => {
    const path = parts.replaceAll(/[' ]/g, "").split(",").join("/");
    return `require("${path.startsWith(".") ? path : `./${path}`}")`;
  });
}
