import * as v from "valibot";

/** What the process of the local cloud tells its parent when everything answers; the sample data may still be on its way, then comes `Filled`. Addresses are `127.0.0.1:port`. */
export const CloudReady = v.strictObject({
  firestore: v.string(),
  pubsub: v.string(),
  tasks: v.string(),
  iam: v.string(),
  metadata: v.string(),
  storage: v.string(),
  bigquery: v.string(),
  engines: v.strictObject({ firestore: v.string(), pubsub: v.string(), warehouse: v.string() }),
});
export type CloudReady = v.InferOutput<typeof CloudReady>;

/** What it tells when the warehouse holds all sample data. */
export const Filled = v.strictObject({ filled: v.literal(true) });
export type Filled = v.InferOutput<typeof Filled>;

/** What it is asked for a tick of the presence feed (an instant), and what it answers when the tick is loaded. */
export const Feed = v.strictObject({ feed: v.string() });
export type Feed = v.InferOutput<typeof Feed>;
export const Fed = v.strictObject({ fed: v.string() });
export type Fed = v.InferOutput<typeof Fed>;

/** What the functions' process tells its parent: the port of each function by name, and of the two routers as `users` and `data`. */
export const FunctionsReady = v.strictObject({ ports: v.record(v.string(), v.number()) });
export type FunctionsReady = v.InferOutput<typeof FunctionsReady>;

/** A start that cannot go on: one line for the person who started it. */
export const StartFailed = v.strictObject({ failed: v.string() });

export type Ports = FunctionsReady["ports"];

/** How the local cloud is started. */
export const CloudOptions = v.strictObject({
  project: v.string(),
  bucket: v.string(),
  stateDirectory: v.string(),
  /** Keeps everything between runs; absent: nothing is kept. */
  dataDirectory: v.optional(v.string()),
  engines: v.picklist(["auto", "embedded", "google"]),
  seed: v.number(),
  scale: v.number(),
  days: v.number(),
  tickSeconds: v.number(),
  countriesFile: v.string(),
});
export type CloudOptions = v.InferOutput<typeof CloudOptions>;
