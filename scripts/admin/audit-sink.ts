import { appendFileSync } from "node:fs";
import { type AuditEntry, audit } from "../../shared/runtime/audit.ts";
import { messageOf } from "../../shared/runtime/error-message.ts";
import type { LogFields } from "../../shared/runtime/log.ts";
import type { GoogleRest } from "./google-rest.ts";

/** Stores an audit line: severity, message and the entry. */
export type AuditSink = (line: LogFields, time: Date) => Promise<void>;

/** Appends to a file of JSON lines that only its owner can read (mode 0600). */
export function fileSink(file: string): AuditSink {
  return async (line, time) => appendFileSync(file, `${JSON.stringify({ time: time.toISOString(), ...line })}\n`, { mode: 0o600 });
}

/**
 * Writes to the log `operator` in Cloud Logging, which adds the time. With that of an operator's machine whose clock is wrong, a restoration would not
 * find what was withdrawn, and Cloud Logging may discard the entry.
 * Source: https://cloud.google.com/logging/docs/reference/v2/rest/v2/entries/write
 */
export function cloudSink(url: string, project: string, rest: GoogleRest): AuditSink {
  return async ({ severity, ...payload }) => {
    const response = await rest("POST", `${url}/v2/entries:write`, {
      logName: `projects/${project}/logs/operator`,
      resource: { type: "global", labels: { project_id: project } },
      entries: [{ severity, jsonPayload: payload }],
    });
    if (!response.ok) throw new Error(`Cloud Logging returned ${response.status}: ${await response.text()}`);
  };
}

/**
 * Writes an audit entry in the format of the functions. Throws if it cannot be stored; the error holds the entry, since the action is
 * done.
 */
export async function keepAudit(sink: AuditSink, entry: AuditEntry, now: Date): Promise<void> {
  let kept: Promise<void> | undefined;
  audit((severity, message, fields) => {
    kept = sink({ severity, message, ...fields }, now);
  }, entry);
  try {
    await kept;
  } catch (error) {
    const why = messageOf(error);
    throw new Error(`The action succeeded, but the audit entry could not be written: ${why}\nRecord it by hand: ${JSON.stringify(entry)}`);
  }
}
