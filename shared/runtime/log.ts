import { traceFields } from "../tracing/span.ts";

/** The severities of Cloud Logging that the service uses. */
type Severity = "DEBUG" | "INFO" | "NOTICE" | "WARNING" | "ERROR";

/** Callers must leave out keys, tokens, geometry and ids from a request's body. */
export type LogFields = Readonly<Record<string, unknown>>;

export type Log = (severity: Severity, message: string, fields?: LogFields) => void;

/**
 * Returns a log that writes JSON lines for Cloud Logging: `severity`, `message`, `base`, the trace of the current work and the other fields.
 * Source: https://cloud.google.com/logging/docs/structured-logging
 */
export function createLog(write: (line: string) => void, base: LogFields = {}): Log {
  return (severity, message, fields = {}) => write(`${JSON.stringify({ severity, message, ...base, ...traceFields(), ...fields })}\n`);
}

/** The log of the process: writes to standard output, with the time of each line. */
export const processLog: Log = (...line) => createLog((text) => process.stdout.write(text), { time: new Date().toISOString() })(...line);

/** Returns the log fields of an error: its message and stack, and those of its causes. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { fault: String(error) };
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { fault: error.message, stack_trace: error.stack, ...cause };
}
