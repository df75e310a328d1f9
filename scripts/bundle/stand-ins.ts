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

export const standIns: readonly StandIn[] = [
  // Firestore: the admin API, pipelines, bundles and listening. `Value` serves pipelines only.
  {
    package: "@google-cloud/firestore-api",
    files: ["build/src/index.js"],
    contents: `exports.protos = {}; exports.v1 = { get FirestoreClient() { return require("./v1/firestore_client").FirestoreClient; } };`,
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
