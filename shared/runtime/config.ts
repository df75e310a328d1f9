import * as v from "valibot";

const BaseUrl = v.pipe(v.string(), v.regex(/^https?:\/\/[\w.-]+(:\d+)?$/, "must be a scheme, a host and an optional port"));
/** The id of a project of Google Cloud. */
export const ProjectId = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{4,28}[a-z0-9]$/));
/** The id of a Firestore database. */
export const DatabaseId = v.pipe(
  v.string(),
  v.regex(/^(\(default\)|[a-z][a-z0-9-]{2,61}[a-z0-9])$/, "must be (default), or 4 to 63 lower-case letters, digits and dashes"),
);
const HostPort = v.pipe(v.string(), v.regex(/^[\w.-]+:\d+$/, "must be host:port"));

/** The environment variables that a deployment sets. Terraform reads their names and patterns from `infra/generated`. */
export const DeploymentVariables = v.object({
  GOOGLE_CLOUD_PROJECT: ProjectId,
  ENVIRONMENT: v.picklist(["local", "dev", "prod"]),
  REGION: v.optional(v.string(), "europe-north1"),
  EXPORT_BUCKET: v.pipe(v.string(), v.minLength(3)),
  LANDING_BUCKET: v.optional(v.pipe(v.string(), v.minLength(3))),
  FIRESTORE_DATABASE: v.optional(DatabaseId, "(default)"),
  FIRESTORE_USAGE_DATABASE: v.optional(DatabaseId, "usage"),
  QUEUE: v.optional(v.string(), "aggregations"),
  QUEUE_REGION: v.optional(v.string()),
  TOPIC: v.optional(v.string(), "aggregations"),
  MEASUREMENTS_TOPIC: v.optional(v.string(), "measurements"),
  LANDINGS_TOPIC: v.optional(v.string(), "landings"),
  ARRIVAL_HOUR: v.optional(v.pipe(v.string(), v.regex(/^([01]?\d|2[0-3])$/, "must be an hour, 0 to 23"), v.transform(Number))),
  QUEUE_SERVICE_ACCOUNT: v.optional(v.pipe(v.string(), v.email())),
  ACCOUNTS_PROJECT: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[a-z][a-z0-9-]{4,28}[a-z0-9](,[a-z][a-z0-9-]{4,28}[a-z0-9])*$/, "must be a project, or several, comma separated"),
    ),
  ),
  BYTES_BILLED_MAX: v.optional(v.pipe(v.string(), v.digits(), v.transform(Number)), "1099511627776"),
  INTERACTIVE_BYTES_MAX: v.optional(v.pipe(v.string(), v.digits(), v.transform(Number)), "100000000000"),
  INTERACTIVE_RESERVATION: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^(projects\/[a-z][a-z0-9-]{4,28}[a-z0-9]\/locations\/[a-z0-9-]+\/reservations\/[a-z]([a-z0-9-]{0,62}[a-z0-9])?)?$/,
        "must be projects/PROJECT/locations/LOCATION/reservations/RESERVATION",
      ),
    ),
    "",
  ),
  QUERY_PRICE_PER_TIB: v.optional(v.pipe(v.string(), v.decimal(), v.transform(Number), v.minValue(0)), "6.25"),
  QUERY_PRICE_CURRENCY: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, "must be an ISO 4217 code, for example EUR")), "USD"),
  RATE_PER_SECOND: v.optional(v.pipe(v.string(), v.decimal(), v.transform(Number), v.minValue(0.1)), "100"),
  RATE_BURST: v.optional(v.pipe(v.string(), v.digits(), v.transform(Number), v.minValue(1)), "500"),
  CORS_ORIGINS: v.optional(
    v.pipe(v.string(), v.regex(/^(https?:\/\/[\w.:-]+(,https?:\/\/[\w.:-]+)*)?$/, "must be origins, comma separated")),
    "",
  ),
  USERS_BASE_URL: v.optional(BaseUrl),
  DATA_BASE_URL: v.optional(BaseUrl),
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(https?:\/\/[\w.-]+(:\d+)?(\/[\w.-]+)*)?$/, "must be a URL without credentials, a query or a slash at the end"),
    ),
    "",
  ),
  OTEL_TRACES_SAMPLER_ARG: v.optional(v.pipe(v.string(), v.decimal(), v.transform(Number), v.minValue(0), v.maxValue(1)), "1"),
  TICK_SECONDS: v.optional(v.pipe(v.string(), v.digits(), v.transform(Number), v.minValue(1)), "300"),
});

/** Variables of local runs: a deployment has the built-in countries, and the clients know the addresses of Google's services. */
const LocalVariables = v.object({
  COUNTRIES_FILE: v.optional(v.string()),
  CORS_LOOPBACK: v.optional(v.literal("true")),
  PUBSUB_REST_URL: v.optional(v.pipe(v.string(), v.url()), "https://pubsub.googleapis.com"),
  TASKS_ADDRESS: v.optional(HostPort),
  IAM_CREDENTIALS_ADDRESS: v.optional(HostPort),
  STORAGE_URL: v.optional(v.pipe(v.string(), v.url())),
  BIGQUERY_URL: v.optional(v.pipe(v.string(), v.url())),
  ACCESS_TOKEN: v.optional(v.pipe(v.string(), v.minLength(1))),
});

const Environment = v.pipe(
  v.object({ ...DeploymentVariables.entries, ...LocalVariables.entries }),
  v.forward(
    v.check(
      ({ FIRESTORE_DATABASE: main, FIRESTORE_USAGE_DATABASE: usage }) => main !== usage,
      "must be another database than FIRESTORE_DATABASE",
    ),
    ["FIRESTORE_USAGE_DATABASE"],
  ),
  v.forward(
    v.check(
      ({ INTERACTIVE_RESERVATION: name, REGION: region }) => name === "" || name.split("/")[3] === region,
      "must be in the location of the queries, REGION",
    ),
    ["INTERACTIVE_RESERVATION"],
  ),
);

/**
 * Everything that differs between deployments. Addresses are undefined in the cloud, where the clients know them. The Firestore and Pub/Sub
 * clients read FIRESTORE_EMULATOR_HOST and PUBSUB_EMULATOR_HOST themselves.
 */
export interface Config {
  readonly project: string;
  /** Part of the input of a key's hash, so that a development key is unknown in production. */
  readonly environment: "local" | "dev" | "prod";
  readonly region: string;
  readonly exportBucket: string;
  /** The bucket in which the provider's deliveries arrive. */
  readonly landingBucket: string;
  /**
   * The ids of the Firestore databases: the main one, and that of what is noted about requests. A restored database has another id than the one
   * that it replaces.
   */
  readonly databases: { readonly main: string; readonly usage: string };
  readonly queue: string;
  /** Cloud Tasks is not available in every region, so the queue may be in a different region than everything else. */
  readonly queueRegion: string;
  readonly topic: string;
  /** The topic of maps to measure at once. */
  readonly measurementsTopic: string;
  /** The topic that the landing bucket notifies of its objects. */
  readonly landingsTopic: string;
  /** The hour, in a country's time zone, by which the data of the day before must have arrived. Undefined: no data is expected. */
  readonly arrivalHour: number | undefined;
  /** The service account that a Cloud Task uses to publish to the topic. */
  readonly queueServiceAccount: string;
  /**
   * The projects of the customers' service accounts: the delivery projects if there are any. A customer is in the one that is recorded with it
   * (`accountsProjectOf`), without a record in the first.
   */
  readonly accountsProjects: readonly [string, ...string[]];
  readonly bytesBilledMax: number;
  /** The most bytes that one query of a request that waits for it may read. */
  readonly interactiveBytesMax: number;
  /** The full name of the BigQuery reservation for such queries. Undefined: they run where all queries of the project do. */
  readonly interactiveReservation: string | undefined;
  /** The price of one billed TiB of a query, used in estimates, and its ISO 4217 currency. */
  readonly queryPrice: { readonly perTib: number; readonly currency: string };
  /** The rate limit of one customer at one instance of a function. */
  readonly rate: { readonly perSecond: number; readonly burst: number };
  /** Origins whose pages may call the APIs from a browser. Empty by default. */
  readonly corsOrigins: readonly string[];
  /** The base URLs of the two APIs, for texts. */
  readonly baseUrls: { readonly users: string | undefined; readonly data: string | undefined };
  /** Whether pages of this computer may too, at any port. Never in the cloud. */
  readonly corsLoopback: boolean;
  /** Seconds between two realtime ticks. */
  readonly tickSeconds: number;
  /** Where spans go: the base URL of an OTLP/HTTP collector, undefined for nowhere; and the share of the traces. */
  readonly traces: { readonly endpoint: string | undefined; readonly share: number };
  /** A JSON file of country rules to use instead of the built-in table. */
  readonly countriesFile: string | undefined;
  /**
   * The token that the clients present. Undefined in the cloud, where the platform gives each function's process the tokens of its account:
   * local functions share a process, and still have accounts of their own.
   */
  readonly accessToken: string | undefined;
  readonly addresses: {
    readonly pubsubRest: string;
    readonly tasks: string | undefined;
    readonly iamCredentials: string | undefined;
    readonly storage: string | undefined;
    readonly bigquery: string | undefined;
  };
}

/** Parses environment variables. Throws an error that names every missing or invalid variable. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const parsed = v.safeParse(Environment, environment);
  if (!parsed.success) {
    const errors = parsed.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.received === "undefined" ? "missing" : issue.message}`);
    throw new Error(`Environment variables are missing or invalid:\n  ${errors.join("\n  ")}`);
  }
  const env = parsed.output;
  const [accountsProject = env.GOOGLE_CLOUD_PROJECT, ...moreAccountsProjects] = env.ACCOUNTS_PROJECT?.split(",") ?? [];
  return {
    project: env.GOOGLE_CLOUD_PROJECT,
    environment: env.ENVIRONMENT,
    region: env.REGION,
    exportBucket: env.EXPORT_BUCKET,
    landingBucket: env.LANDING_BUCKET ?? `${env.GOOGLE_CLOUD_PROJECT}-landing`,
    databases: { main: env.FIRESTORE_DATABASE, usage: env.FIRESTORE_USAGE_DATABASE },
    queue: env.QUEUE,
    queueRegion: env.QUEUE_REGION ?? env.REGION,
    topic: env.TOPIC,
    measurementsTopic: env.MEASUREMENTS_TOPIC,
    landingsTopic: env.LANDINGS_TOPIC,
    arrivalHour: env.ARRIVAL_HOUR,
    queueServiceAccount: env.QUEUE_SERVICE_ACCOUNT ?? `queue@${env.GOOGLE_CLOUD_PROJECT}.iam.gserviceaccount.com`,
    accountsProjects: [accountsProject, ...moreAccountsProjects],
    bytesBilledMax: env.BYTES_BILLED_MAX,
    interactiveBytesMax: env.INTERACTIVE_BYTES_MAX,
    interactiveReservation: env.INTERACTIVE_RESERVATION || undefined,
    queryPrice: { perTib: env.QUERY_PRICE_PER_TIB, currency: env.QUERY_PRICE_CURRENCY },
    rate: { perSecond: env.RATE_PER_SECOND, burst: env.RATE_BURST },
    corsOrigins: env.CORS_ORIGINS === "" ? [] : env.CORS_ORIGINS.split(","),
    baseUrls: { users: env.USERS_BASE_URL, data: env.DATA_BASE_URL },
    corsLoopback: env.CORS_LOOPBACK === "true",
    tickSeconds: env.TICK_SECONDS,
    traces: { endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT || undefined, share: env.OTEL_TRACES_SAMPLER_ARG },
    countriesFile: env.COUNTRIES_FILE,
    accessToken: env.ACCESS_TOKEN,
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

/** Returns the configuration of this process, parsed once. */
export function config(): Config {
  current ??= parseConfig(process.env);
  return current;
}
