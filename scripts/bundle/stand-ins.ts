import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A replacement for files of a package that no function reaches. */
export interface StandIn {
  readonly package: string;
  readonly files: readonly string[];
  readonly contents: string;
}

const NOTHING = "";

/** A class that can be constructed and closed, for clients that construct it and never call it. */
const idleClient = (name: string): string => `exports.${name} = class { initialize() {} close() { return Promise.resolve(); } };`;

/** For modules whose `setup` runs when the package loads. */
const idleSetup = "exports.setup = () => {}; exports.registerAdminService = () => {};";

/** Throws with a clear reason when constructed, so that a missing part does not fail elsewhere. */
const refusing = (...names: readonly string[]): string =>
  names.map((name) => `exports.${name} = class { constructor() { throw new Error("${name} is not part of this bundle"); } };`).join("\n");

/** Node's own modules as packages have them, which load them when they start and need them seldom: the contents by name. */
export const BUILTINS = new Map([
  ["child_process", readStandIn("child-process.cjs")],
  ["net", readStandIn("net.cjs")],
]);

/** Throws with a clear reason when called. */
const refusingCalls = (...names: readonly string[]): string =>
  names.map((name) => `exports.${name} = () => { throw new Error("${name} is not part of this bundle"); };`).join("\n");

export const standIns: readonly StandIn[] = [
  // Firestore: the admin API, pipelines, bundles and listening. `Value` serves pipelines only.
  {
    package: "@google-cloud/firestore-api",
    files: ["build/src/index.js"],
    contents: `exports.protos = {}; exports.v1 = { get FirestoreClient() { return require("./v1/firestore_client").FirestoreClient; } };`,
  },
  {
    package: "@google-cloud/firestore-api",
    files: ["build/src/v1/index.js"],
    contents: `exports.FirestoreClient = require("./firestore_client").FirestoreClient;`,
  },
  {
    package: "@google-cloud/firestore",
    files: ["build/protos/firestore_v1_proto_api.js"],
    contents: "exports.google = { firestore: { v1: {} } };",
  },
  {
    package: "@google-cloud/firestore",
    files: ["build/src/pipelines/index.js"],
    contents: refusing("Pipeline", "PipelineSource", "Ordering"),
  },
  {
    package: "@google-cloud/firestore",
    files: ["build/src/pipelines/pipeline-util.js"],
    contents: `exports.isString = (value) => typeof value === "string";`,
  },
  // The clients' spans and logs, which environment variables switch on: nothing collects the spans, and Populus has its own (shared/tracing).
  {
    package: "@google-cloud/firestore",
    files: ["build/src/telemetry/enabled-trace-util.js"],
    contents: `exports.EnabledTraceUtil = require("./disabled-trace-util").DisabledTraceUtil;`,
  },
  {
    package: "google-gax",
    files: ["build/src/observability/util.js"],
    contents: "exports.checkLoggingEnabled = exports.checkTracingEnabled = () => false;",
  },
  {
    package: "google-gax",
    files: ["build/src/observability/LoggerHelper.js"],
    contents: refusingCalls("logCall", "logNetworkAttempt"),
  },
  {
    package: "google-gax",
    files: ["build/src/observability/TracerHelper.js"],
    contents: refusingCalls("traceAttempt", "traceCall"),
  },
  { package: "@google-cloud/firestore", files: ["build/src/watch.js"], contents: refusing("DocumentWatch", "QueryWatch") },
  { package: "@google-cloud/firestore", files: ["build/src/bundle.js"], contents: refusing("BundleBuilder") },
  // google-gax: the REST transport, uploads, and the mixin services of each API: operations, locations, policies.
  { package: "google-gax", files: ["build/src/fallback.js"], contents: readStandIn("gax-fallback.cjs") },
  { package: "google-gax", files: ["build/src/locationService.js"], contents: idleClient("LocationsClient") },
  { package: "google-gax", files: ["build/src/iamService.js"], contents: idleClient("IamClient") },
  {
    package: "google-gax",
    files: [
      "build/src/operationsClient.js",
      "build/src/resumableUpload.js",
      "build/src/resumableSourceFromFile.js",
      "build/protos/iam_service.js",
      "build/protos/locations.js",
      "build/protos/operations.js",
    ],
    contents: NOTHING,
  },
  // gRPC: servers, and load balancing by server reports, which no service config of Google's APIs uses.
  { package: "@grpc/proto-loader", files: ["build/src/index.js"], contents: readStandIn("proto-loader.cjs") },
  {
    package: "@grpc/grpc-js",
    files: [
      "build/src/admin.js",
      "build/src/orca.js",
      "build/src/load-balancer-outlier-detection.js",
      "build/src/load-balancer-weighted-round-robin.js",
      "build/src/server.js",
      "build/src/server-credentials.js",
      "build/src/server-interceptors.js",
    ],
    contents: idleSetup,
  },
  // Identities of other clouds: a function gets its service account's identity from the metadata server.
  {
    package: "google-auth-library",
    files: [
      "build/src/auth/awsclient.js",
      "build/src/auth/downscopedclient.js",
      "build/src/auth/externalAccountAuthorizedUserClient.js",
      "build/src/auth/externalclient.js",
      "build/src/auth/identitypoolclient.js",
      "build/src/auth/pluggable-auth-client.js",
    ],
    contents: `exports.EXTERNAL_ACCOUNT_AUTHORIZED_USER_TYPE = "external_account_authorized_user";`,
  },
  // Message classes, which the clients only re-export.
  ...["@google-cloud/iam-credentials", "@google-cloud/pubsub", "@google-cloud/pubsub-api"].map((name) => ({
    package: name,
    files: ["build/protos/protos.js"],
    contents: NOTHING,
  })),
  // Pub/Sub: subscribing and schemas. A function publishes, and is subscribed by push.
  {
    package: "@google-cloud/pubsub-api",
    files: ["build/src/v1/index.js"],
    // The client asks for the scopes of all its services, which are the publisher's.
    contents: `exports.PublisherClient = require("./publisher_client").PublisherClient;
${refusing("SchemaServiceClient", "SubscriberClient")}
exports.SubscriberClient.scopes = exports.PublisherClient.scopes;`,
  },
  {
    package: "@google-cloud/pubsub",
    files: ["build/src/subscriber.js", "build/src/subscription.js", "build/src/snapshot.js", "build/src/schema.js"],
    contents: `${refusing("Message", "Subscriber", "Subscription", "Snapshot", "Schema")}\nexports.SchemaViews = {};`,
  },
  {
    package: "@opentelemetry/core",
    files: ["build/src/index.js"],
    contents: `exports.W3CTraceContextPropagator = require("./trace/W3CTraceContextPropagator").W3CTraceContextPropagator;`,
  },
  { package: "google-logging-utils", files: ["build/src/index.js"], contents: readStandIn("logging.cjs") },
  // Polyfills of what Node has.
  { package: "fetch-blob", files: ["streams.cjs"], contents: NOTHING },
  // The framework: character sets other than Unicode's, which JSON has not (RFC 8259), and the writing of query strings.
  {
    package: "iconv-lite",
    files: ["dbcs-codec", "dbcs-data", "sbcs-codec", "sbcs-data", "sbcs-data-generated", "utf7"].map((file) => `encodings/${file}.js`),
    contents: NOTHING,
  },
  {
    package: "qs",
    files: ["lib/stringify.js"],
    contents: `module.exports = () => { throw new Error("qs.stringify is not part of this bundle"); };`,
  },
  // Older API versions in the package.
  {
    package: "@google-cloud/tasks",
    files: ["build/cjs/src/index.cjs"],
    contents: `exports.CloudTasksClient = require("./v2/cloud_tasks_client.cjs").CloudTasksClient;`,
  },
];

function readStandIn(file: string): string {
  return readFileSync(fileURLToPath(new URL(`stand-ins/${file}`, import.meta.url)), "utf8");
}
