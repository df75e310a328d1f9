/** The severities of Cloud Logging that the service uses. */
type Severity = "DEBUG" | "INFO" | "NOTICE" | "WARNING" | "ERROR";

/** Members that must never be logged are left out by the callers: keys, tokens, geometry, ids of a request's body. */
export type LogFields = Readonly<Record<string, unknown>>;

export type Log = (severity: Severity, message: string, fields?: LogFields) => void;

/**
 * Writes one line of JSON that Cloud Logging reads: `severity`, `message`, the trace and whatever else is given.
 * Source: https://cloud.google.com/logging/docs/structured-logging
 */
export function createLog(write: (line: string) => void, base: LogFields = {}): Log {
  return (severity, message, fields = {}) => write(`${JSON.stringify({ severity, message, ...base, ...fields })}\n`);
}

/** The log of a process: standard output, with the time of each line. */
export const processLog: Log = (...line) => createLog((text) => process.stdout.write(text), { time: new Date().toISOString() })(...line);

/** What an operator needs of an unknown fault: its text and stack, and those of its causes. */
export function describeError(fault: unknown): LogFields {
  if (!(fault instanceof Error)) return { fault: String(fault) };
  const cause = fault.cause === undefined ? {} : { cause: describeError(fault.cause) };
  return { fault: fault.message, stack_trace: fault.stack, ...cause };
}

/** Cloud Logging's trace field from a W3C `traceparent` or `x-cloud-trace-context` header. */
export function traceFields(project: string, traceparent: string | undefined, cloudTrace: string | undefined): LogFields {
  const id = /^00-([0-9a-f]{32})-[0-9a-f]{16}-/.exec(traceparent ?? "")?.[1] ?? /^([0-9a-f]{32})(?:\/|$)/.exec(cloudTrace ?? "")?.[1];
  return id ? { "logging.googleapis.com/trace": `projects/${project}/traces/${id}` } : {};
}
