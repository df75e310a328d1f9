import { type counters, JOB_OVERHEAD_MS_MAX } from "./log-metrics.ts";

type CounterName = keyof ReturnType<typeof counters>;

/** What a customer does, with the endpoints of it that answer. Each is a service of Cloud Monitoring and a row of the dashboard. */
interface Journey {
  readonly title: string;
  readonly endpoints: readonly string[];
}

/** The user journeys by id. */
export const JOURNEYS = {
  api: { title: "Any request", endpoints: [] },
  "sign-in": { title: "Sign in", endpoints: ["auth-login"] },
  preview: { title: "Preview an aggregation", endpoints: ["aggregation-preview"] },
  job: { title: "Run a job", endpoints: ["aggregation-submit", "aggregation-status", "aggregation-results"] },
  realtime: { title: "Watch headcounts", endpoints: ["realtime-data"] },
} as const satisfies Record<string, Journey>;

/**
 * How an objective is measured: `availability`, the share of the load balancer's answers other than 5xx; `latency`, the share of its
 * successful answers within `milliseconds`, a start of an instance included; `distribution`, the share of a log-based metric's numbers up to
 * `most`; `ratio`, one counter of log lines over another.
 */
type Measure =
  | { readonly kind: "availability" }
  | { readonly kind: "latency"; readonly endpoint: string; readonly milliseconds: number }
  | { readonly kind: "distribution"; readonly metric: string; readonly most: number; readonly total: CounterName }
  | { readonly kind: "ratio"; readonly good: CounterName; readonly total: CounterName };

interface Objective {
  readonly title: string;
  readonly journey: keyof typeof JOURNEYS;
  /** The share that is good, in 28 days. */
  readonly goal: number;
  readonly measure: Measure;
  /**
   * How many events an alert's long window must have, so that one slow request at night wakes nobody: of `availability` failed ones, otherwise
   * all. Ticks come by the clock, so one of few counts.
   */
  readonly events_min: number;
  /** The file in terraform/modules/operations/runbooks. */
  readonly runbook: string;
}

const latency = (title: string, journey: Objective["journey"], endpoint: string, milliseconds: number): Objective => ({
  title,
  journey,
  goal: 0.95,
  measure: { kind: "latency", endpoint, milliseconds },
  events_min: 20,
  runbook: "slo-latency",
});

/** The service level objectives by id. */
export const OBJECTIVES: Readonly<Record<string, Objective>> = {
  availability: {
    title: "99.9 % of requests are answered other than by 5xx",
    journey: "api",
    goal: 0.999,
    measure: { kind: "availability" },
    events_min: 5,
    runbook: "slo-availability",
  },
  "login-latency": latency("95 % of logins within 300 ms", "sign-in", "auth-login", 300),
  "preview-latency": latency("95 % of previews within 3 s", "preview", "aggregation-preview", 3000),
  "status-latency": latency("95 % of requests for a job's status within 300 ms", "job", "aggregation-status", 300),
  "job-overhead": {
    title: "95 % of jobs within 2 s, besides their queries",
    journey: "job",
    goal: 0.95,
    measure: { kind: "distribution", metric: "job_overhead", most: JOB_OVERHEAD_MS_MAX, total: "jobs_completed" },
    events_min: 10,
    runbook: "slo-jobs",
  },
  "realtime-latency": latency("95 % of requests for headcounts within 300 ms", "realtime", "realtime-data", 300),
  "tick-freshness": {
    title: "99 % of ticks within 10 minutes",
    journey: "realtime",
    goal: 0.99,
    measure: { kind: "ratio", good: "ticks_fresh", total: "ticks_ended" },
    events_min: 1,
    runbook: "slo-ticks",
  },
};

/**
 * When an alert says that the budget of an objective burns too fast: `rate` times as fast as it may, over the long window and still over the
 * short one. At 14.4 an hour uses 2 % of a month's budget, at 6 six hours use 5 %.
 * Source: https://sre.google/workbook/alerting-on-slos/#6-multiwindow-multi-burn-rate-alerts
 */
export const BURN_RATES = {
  fast: { rate: 14.4, long_seconds: 3600, short_seconds: 300, severity: "CRITICAL" },
  slow: { rate: 6, long_seconds: 21_600, short_seconds: 1800, severity: "ERROR" },
} as const;
