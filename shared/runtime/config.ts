import * as v from "valibot";

const HostPort = v.pipe(v.string(), v.regex(/^[\w.-]+:\d+$/, "must be host:port"));

const Environment = v.object({
  GOOGLE_CLOUD_PROJECT: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{4,28}[a-z0-9]$/)),
  ENVIRONMENT: v.picklist(["local", "dev", "prod"]),
  REGION: v.optional(v.string(), "europe-north1"),
  EXPORT_BUCKET: v.pipe(v.string(), v.minLength(3)),
  QUEUE: v.optional(v.string(), "aggregations"),
  QUEUE_REGION: v.optional(v.string()),
  TOPIC: v.optional(v.string(), "aggregations"),
  QUEUE_SERVICE_ACCOUNT: v.optional(v.pipe(v.string(), v.email())),
  ACCOUNTS_PROJECT: v.optional(v.string()),
  BYTES_BILLED_MAX: v.optional(v.pipe(v.string(), v.digits(), v.transform(Number)), "1099511627776"),
  QUERY_PRICE_PER_TIB: v.optional(v.pipe(v.string(), v.decimal(), v.transform(Number), v.minValue(0)), "6.25"),
  QUERY_PRICE_CURRENCY: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, "must be an ISO 4217 code, for example EUR")), "USD"),
  RATE_PER_SECOND: v.optional(v.pipe(v.string(), v.decimal(), v.transform(Number), v.minValue(0.1)), "100"),
  RATE_BURST: v.optional(v.pipe(v.string(), v.digits(), v.transform(Number), v.minValue(1)), "500"),
  CORS_ORIGINS: v.optional(
    v.pipe(v.string(), v.regex(/^(https?:\/\/[\w.:-]+(,https?:\/\/[\w.:-]+)*)?$/, "must be origins, comma separated")),
    "",
  ),
  TICK_SECONDS: v.optional(v.pipe(v.string(), v.digits(), v.transform(Number), v.minValue(1)), "300"),
  COUNTRIES_FILE: v.optional(v.string()),
  PUBSUB_REST_URL: v.optional(v.pipe(v.string(), v.url()), "https://pubsub.googleapis.com"),
  TASKS_ADDRESS: v.optional(HostPort),
  IAM_CREDENTIALS_ADDRESS: v.optional(HostPort),
  STORAGE_URL: v.optional(v.pipe(v.string(), v.url())),
  BIGQUERY_URL: v.optional(v.pipe(v.string(), v.url())),
});

/**
 * Everything that differs between deployments. Addresses are undefined in the cloud: the clients know them. Firestore's and Pub/Sub's
 * clients read FIRESTORE_EMULATOR_HOST and PUBSUB_EMULATOR_HOST themselves.
 */
export interface Config {
  readonly project: string;
  /** Part of what a key's hash covers, so that a development key is unknown in production. */
  readonly environment: "local" | "dev" | "prod";
  readonly region: string;
  readonly exportBucket: string;
  readonly queue: string;
  /** Cloud Tasks is not in every region: the queue may be in another one than everything else. */
  readonly queueRegion: string;
  readonly topic: string;
  /** The identity with which a Cloud Task publishes to the topic. */
  readonly queueServiceAccount: string;
  /** The project of the customers' service accounts; the delivery project where there is one. */
  readonly accountsProject: string;
  readonly bytesBilledMax: number;
  /** What estimates reckon with: the price of one TiB that a query is billed for, and its ISO 4217 currency. */
  readonly queryPrice: { readonly perTib: number; readonly currency: string };
  /** How many requests one instance of a function answers a customer. */
  readonly rate: { readonly perSecond: number; readonly burst: number };
  /** Origins of pages that may call the APIs from a browser; none unless named. */
  readonly corsOrigins: readonly string[];
  /** Seconds between two ticks of realtime. */
  readonly tickSeconds: number;
  /** A JSON file of country rules to use instead of the built-in table. */
  readonly countriesFile: string | undefined;
  readonly addresses: {
    readonly pubsubRest: string;
    readonly tasks: string | undefined;
    readonly iamCredentials: string | undefined;
    readonly storage: string | undefined;
    readonly bigquery: string | undefined;
  };
}

/** Parses an environment. Throws an error that names each variable that is missing or wrong. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const parsed = v.safeParse(Environment, environment);
  if (!parsed.success) {
    const faults = parsed.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
    throw new Error(`The environment is not complete:\n  ${faults.join("\n  ")}`);
  }
  const env = parsed.output;
  return {
    project: env.GOOGLE_CLOUD_PROJECT,
    environment: env.ENVIRONMENT,
    region: env.REGION,
    exportBucket: env.EXPORT_BUCKET,
    queue: env.QUEUE,
    queueRegion: env.QUEUE_REGION ?? env.REGION,
    topic: env.TOPIC,
    queueServiceAccount: env.QUEUE_SERVICE_ACCOUNT ?? `queue@${env.GOOGLE_CLOUD_PROJECT}.iam.gserviceaccount.com`,
    accountsProject: env.ACCOUNTS_PROJECT ?? env.GOOGLE_CLOUD_PROJECT,
    bytesBilledMax: env.BYTES_BILLED_MAX,
    queryPrice: { perTib: env.QUERY_PRICE_PER_TIB, currency: env.QUERY_PRICE_CURRENCY },
    rate: { perSecond: env.RATE_PER_SECOND, burst: env.RATE_BURST },
    corsOrigins: env.CORS_ORIGINS === "" ? [] : env.CORS_ORIGINS.split(","),
    tickSeconds: env.TICK_SECONDS,
    countriesFile: env.COUNTRIES_FILE,
    addresses: {
      pubsubRest: env.PUBSUB_REST_URL,
      tasks: env.TASKS_ADDRESS,
      iamCredentials: env.IAM_CREDENTIALS_ADDRESS,
      storage: env.STORAGE_URL,
      bigquery: env.BIGQUERY_URL,
    },
  };
}

let current: Config | undefined;

/** The configuration of this process, read once. */
export function config(): Config {
  current ??= parseConfig(process.env);
  return current;
}
