/**
 * Log-based metrics and what they filter by. Filters are of Cloud Logging: https://cloud.google.com/logging/docs/view/logging-query-language.
 * `functions/log-metrics.test.ts` evaluates each over lines that the functions have written.
 */

/** Counts the entries that a filter matches. */
interface Counter {
  readonly description: string;
  readonly filter: string;
}

/** Collects a number of each entry that a filter matches. */
interface Distribution extends Counter {
  /** The number's place in the entry. */
  readonly field: string;
  readonly unit: string;
  /** The buckets' bounds. A bound at an objective's threshold makes the share within it exact. */
  readonly bounds: readonly number[];
}

/** The longest time of the service in a job, besides its queries, that its objective allows, in milliseconds. */
export const JOB_OVERHEAD_MS_MAX = 2000;
/** The oldest that headcounts may be when they are complete, in seconds. */
const TICK_AGE_SECONDS_MAX = 600;

const RUN = 'resource.type="cloud_run_revision"';
const of = (name: string) => `${RUN} AND resource.labels.service_name=${JSON.stringify(name)}`;
const message = (text: string) => `jsonPayload.message=${JSON.stringify(text)}`;

const sweep = `${of("aggregation-sweep")} AND ${message("Swept")}`;
const tick = `${of("realtime-refresh")} AND ${message("Headcounts refreshed")}`;
const lostTick = `${of("realtime-refresh")} AND severity=ERROR AND ${message("A tick is given up")}`;
const lostLoad = `${of("realtime-refresh")} AND severity=ERROR AND ${message("A load of a customer's table is given up")}`;
const job = `${of("aggregation-run")} AND ${message("Job completed")}`;

/** Bounds about a factor of 1.5 apart, from a few milliseconds to a minute, with the objectives' 300, 2,000 and 3,000. */
const MILLISECONDS = [
  5, 10, 20, 40, 70, 100, 150, 200, 250, 300, 400, 600, 900, 1300, 2000, 3000, 5000, 8000, 12_000, 20_000, 35_000, 60_000,
];
/** A sweep handles few jobs of a kind. */
const JOBS = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500];
const SECONDS = [10, 20, 30, 60, 90, 120, 180, 240, 300, 450, 600, 900, 1800, 3600, 10_800, 86_400];

/** What a sweep has found, by the field names of its log line. */
const CHORES = {
  freePlaces: "Customers with a free place and a job that waits for it",
  leftovers: "Jobs whose lost attempts have left something behind",
  overdue: "Jobs past their deadline",
  untouched: "Jobs that nobody has touched for a while: their delivery is sent again",
} as const;

/** Entries that an alert is based on themselves, so that its message has their fields. */
export const LOG_ALERTS = {
  day_missing: `(${of("loading-arrivals")} AND severity=ERROR AND ${message("A day of data did not arrive")}) OR (${of("loading-import")} AND severity=ERROR AND ${message("A batch was quarantined")})`,
  job_given_up: `${of("aggregation-dead-letter")} AND severity>=ERROR`,
} as const;

/** The entries of functions. */
function entriesOf(functions: readonly string[]): string {
  return `${RUN} AND resource.labels.service_name=(${functions.map((name) => JSON.stringify(name)).join(" OR ")})`;
}

/**
 * Returns the log-based metrics that count, by name.
 * @param functions the names of all functions
 */
export function counters(functions: readonly string[]) {
  const all = entriesOf(functions);
  return {
    audit_entries: { description: "Entries of the audit: keys, tokens, refusals", filter: `${all} AND jsonPayload.audit.action:*` },
    function_errors: { description: "Errors logged by functions, or by the platform about them", filter: `${all} AND severity>=ERROR` },
    function_warnings: {
      description: "Warnings: mostly services that did not answer, and work left to the next sweep",
      filter: `${all} AND severity=WARNING`,
    },
    jobs_completed: { description: "Jobs that were completed", filter: job },
    new_networks: {
      description: "Keys used from a network that is new to them, after 30 days without a new one",
      filter: `${all} AND jsonPayload.audit.action="key.network"`,
    },
    overdue_sweeps: {
      description: "Sweeps that found a job past its deadline, and failed it",
      filter: `${sweep} AND jsonPayload.overdue>0`,
    },
    sweeps: { description: "Sweeps of jobs", filter: sweep },
    ticks: { description: "Ticks with finished headcounts", filter: tick },
    ticks_ended: { description: "Ticks that were finished or given up", filter: `(${tick}) OR (${lostTick})` },
    ticks_fresh: {
      description: "Ticks whose headcounts were finished within ten minutes",
      filter: `${tick} AND jsonPayload.ageSeconds<=${TICK_AGE_SECONDS_MAX}`,
    },
    ticks_given_up: {
      description:
        "Ticks that were given up, or the load of one into a customer's table: no customer has their headcounts, or one lacks them in its views",
      filter: `(${lostTick}) OR (${lostLoad})`,
    },
  } satisfies Record<string, Counter>;
}

/**
 * Returns the log-based metrics that collect numbers, by name.
 * @param functions the names of all functions
 */
export function distributions(functions: readonly string[]): Readonly<Record<string, Distribution>> {
  return {
    job_overhead: {
      description: "Time from a job's slot to its end, less its queries",
      filter: `${job} AND jsonPayload.overheadMs>=0`,
      field: "jsonPayload.overheadMs",
      unit: "ms",
      bounds: MILLISECONDS,
    },
    request_latency: {
      description: "Time of an answered request in its function",
      filter: `${entriesOf(functions)} AND httpRequest.status<500 AND jsonPayload.latencyMs>=0`,
      field: "jsonPayload.latencyMs",
      unit: "ms",
      bounds: MILLISECONDS,
    },
    tick_age: {
      description: "Age of headcounts when they are complete",
      filter: `${tick} AND jsonPayload.ageSeconds>=0`,
      field: "jsonPayload.ageSeconds",
      unit: "s",
      bounds: SECONDS,
    },
    ...Object.fromEntries(
      Object.entries(CHORES).map(([field, description]) => [
        `sweep_${field.toLowerCase()}`,
        { description, filter: `${sweep} AND jsonPayload.${field}>=0`, field: `jsonPayload.${field}`, unit: "1", bounds: JOBS },
      ]),
    ),
  };
}
