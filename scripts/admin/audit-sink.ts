import { appendFileSync } from "node:fs";
import { type AuditEntry, audit } from "../../shared/runtime/audit.ts";
import type { LogFields } from "../../shared/runtime/log.ts";
import type { GoogleRest } from "./google-rest.ts";

/** Keeps an audit line: severity, message and the entry. */
export type AuditSink = (line: LogFields, time: Date) => Promise<void>;

/** A file of JSON lines, its owner's only. */
export function fileSink(file: string): AuditSink {
  return async (line, time) => appendFileSync(file, `${JSON.stringify({ time: time.toISOString(), ...line })}\n`, { mode: 0o600 });
}

/** Cloud Logging's log `operator`. Source: https://cloud.google.com/logging/docs/reference/v2/rest/v2/entries/write */
export function cloudSink(url: string, project: string, rest: GoogleRest): AuditSink {
  return async ({ severity, ...payload }, time) => {
    const response = await rest("POST", `${url}/v2/entries:write`, {
      logName: `projects/${project}/logs/operator`,
      resource: { type: "global", labels: { project_id: project } },
      entries: [{ severity, timestamp: time.toISOString(), jsonPayload: payload }],
    });
    if (!response.ok) throw new Error(`Cloud Logging answers ${response.status}: ${await response.text()}`);
  };
}

/** Writes an audit entry as the functions write theirs. Throws when it was not kept, with the entry: what it tells of has happened. */
export async function keepAudit(sink: AuditSink, entry: AuditEntry, now: Date): Promise<void> {
  let kept: Promise<void> | undefined;
  audit((severity, message, fields) => {
    kept = sink({ severity, message, ...fields }, now);
  }, entry);
  try {
    await kept;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`It is done, but the audit log does not know: ${why}\nTell it by hand: ${JSON.stringify(entry)}`);
  }
}
