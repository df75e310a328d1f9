import * as v from "valibot";

/** Sent to the parent when all products answer. The sample data may still load; `TablesMade` follows. Addresses are `127.0.0.1:port`. */
export const CloudReady = v.strictObject({
  firestore: v.string(),
  firestore_admin: v.string(),
  pubsub: v.string(),
  tasks: v.string(),
  iam: v.string(),
  metadata: v.string(),
  storage: v.string(),
  bigquery: v.string(),
  /** The token of each function's account, by the function's name. */
  function_tokens: v.record(v.string(), v.string()),
  engines: v.strictObject({ firestore: v.string(), pubsub: v.string(), warehouse: v.string() }),
});
export type CloudReady = v.InferOutput<typeof CloudReady>;

/** Message when the warehouse has its tables and takes the requests below. */
export const TablesMade = v.strictObject({ tables_made: v.literal(true) });
export type TablesMade = v.InferOutput<typeof TablesMade>;

/** Request to make the sample data, for which queries wait. The answers are `Filling` at each step, and `Filled`, or the error's message if it failed. */
export const FillSample = v.strictObject({ fill_sample: v.literal(true) });
export type FillSample = v.InferOutput<typeof FillSample>;

/** Message meanwhile: the step of the sample that begins, and once it is known, how many are done and how many there are. */
export const SampleProgress = v.strictObject({ step: v.string(), done: v.optional(v.number()), of: v.optional(v.number()) });
export type SampleProgress = v.InferOutput<typeof SampleProgress>;
export const Filling = v.strictObject({ filling: SampleProgress });
export type Filling = v.InferOutput<typeof Filling>;

/** Message when the warehouse holds all sample data. */
export const Filled = v.strictObject({ filled: v.literal(true) });
export type Filled = v.InferOutput<typeof Filled>;

/** Request to load a tick of the presence feed (an instant). The answer is `Fed`, once the tick is loaded. */
export const Feed = v.strictObject({ feed: v.string() });
export type Feed = v.InferOutput<typeof Feed>;
export const Fed = v.strictObject({ fed: v.string() });
export type Fed = v.InferOutput<typeof Fed>;

/**
 * Request to add the headcounts of a sample customer's map. The answers are `HistoryHeld`: from now on, queries wait for them; and `HistoryAdded`, which says
 * whether that failed.
 */
export const AddHistory = v.strictObject({ history: v.strictObject({ uid: v.string(), mapId: v.string() }) });
export type AddHistory = v.InferOutput<typeof AddHistory>;
export const HistoryHeld = v.strictObject({ historyHeldOf: v.string() });
export type HistoryHeld = v.InferOutput<typeof HistoryHeld>;
export const HistoryAdded = v.strictObject({ historyOf: v.string(), failed: v.optional(v.boolean(), false) });
export type HistoryAdded = v.InferOutput<typeof HistoryAdded>;

/** Request to replace the databases of Firestore that the functions' grants reach, by what grants call them. The answer is `DatabasesGranted`. */
export const GrantDatabases = v.strictObject({
  grant_databases: v.strictObject({ main: v.array(v.string()), usage: v.array(v.string()) }),
});
export type GrantDatabases = v.InferOutput<typeof GrantDatabases>;
export const DatabasesGranted = v.strictObject({ databases_granted: v.literal(true) });
export type DatabasesGranted = v.InferOutput<typeof DatabasesGranted>;

/** Request to create the datasets of a customer in the warehouse. The answer is `DatasetsCreated`, with the error's message if it failed. */
export const CreateDatasets = v.strictObject({ create_datasets_of: v.string() });
export type CreateDatasets = v.InferOutput<typeof CreateDatasets>;
export const DatasetsCreated = v.strictObject({ datasets_of: v.string(), failed: v.optional(v.string()) });
export type DatasetsCreated = v.InferOutput<typeof DatasetsCreated>;

/** Message to the functions' process: its environment, which the local cloud decides while it loads its modules. */
export const Environment = v.strictObject({ environment: v.record(v.string(), v.string()) });
export type Environment = v.InferOutput<typeof Environment>;

/** Message of the functions' process to its parent: the port of each function by name, and of the two routers as `users` and `data`. */
export const FunctionsReady = v.strictObject({ ports: v.record(v.string(), v.number()) });
export type FunctionsReady = v.InferOutput<typeof FunctionsReady>;

/** A sample customer, with its keys by label. */
const SampleCustomer = v.strictObject({
  uid: v.string(),
  name: v.string(),
  default_country: v.string(),
  keys: v.record(v.string(), v.string()),
});

/**
 * Request to the functions' process, which has loaded Firestore's client, for the sample customers: made if they are not there. `metadata` is the
 * address of the metadata server, `countries` those available to customers. The answer is `CustomersMade`, with the error's message if it failed.
 */
export const MakeCustomers = v.strictObject({
  make_customers: v.strictObject({ dataDirectory: v.optional(v.string()), countries: v.array(v.string()), metadata: v.string() }),
});
export type MakeCustomers = v.InferOutput<typeof MakeCustomers>;
export const CustomersMade = v.strictObject({ sample_customers: v.array(SampleCustomer), failed: v.optional(v.string()) });
export type CustomersMade = v.InferOutput<typeof CustomersMade>;

/** Message of the functions' process: a customer has asked for its personal dataset. In the cloud an operator creates it. */
export const DatasetRequested = v.strictObject({ dataset_requested: v.string() });
export type DatasetRequested = v.InferOutput<typeof DatasetRequested>;

/** Message of a failed start: one line for the user. */
export const StartFailed = v.strictObject({ failed: v.string() });

export type Ports = FunctionsReady["ports"];

/** The options of the local cloud's process. */
export const CloudOptions = v.strictObject({
  project: v.string(),
  bucket: v.string(),
  /** The bucket of deliveries, and the full name of the topic that it notifies. */
  landing: v.strictObject({ bucket: v.string(), topic: v.string() }),
  /** The full name of the Cloud Tasks queue. */
  queue: v.string(),
  stateDirectory: v.string(),
  /** The ids of the databases of Firestore that the functions are pointed at. */
  databases: v.strictObject({ main: v.string(), usage: v.string() }),
  /** The folder of persistent data; absent: nothing is persisted. */
  dataDirectory: v.optional(v.string()),
  engines: v.picklist(["auto", "embedded", "google"]),
  seed: v.number(),
  scale: v.number(),
  days: v.number(),
  tickSeconds: v.number(),
  countriesFile: v.string(),
});
export type CloudOptions = v.InferOutput<typeof CloudOptions>;
