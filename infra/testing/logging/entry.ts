/** A log entry as Cloud Logging stores it: nested members by name. */
export type Entry = Readonly<Record<string, unknown>>;

/** The members of a structured line that Cloud Logging takes out of the payload, and where it puts them. */
const SPECIAL: Readonly<Record<string, string>> = {
  severity: "severity",
  time: "timestamp",
  httpRequest: "httpRequest",
  "logging.googleapis.com/trace": "trace",
  "logging.googleapis.com/spanId": "spanId",
};

/**
 * Returns the entry that Cloud Logging makes of a line of JSON that a function has written. The platform knows the function by its Cloud Run
 * service, which has its name.
 * Source: https://cloud.google.com/logging/docs/structured-logging#structured_logging_special_fields
 */
export function entryOf(line: string, service: string): Entry {
  const written: object = JSON.parse(line);
  const jsonPayload: Record<string, unknown> = {};
  const entry: Record<string, unknown> = { resource: { type: "cloud_run_revision", labels: { service_name: service } }, jsonPayload };
  for (const [name, value] of Object.entries(written)) {
    const place = SPECIAL[name];
    if (place === undefined) jsonPayload[name] = value;
    else entry[place] = value;
  }
  return entry;
}
