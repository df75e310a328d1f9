import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as v from "valibot";
import type { GoogleRest } from "./google-rest.ts";

/** A log line with an audit entry. Lines of the functions carry no time: in the cloud, Cloud Logging adds it. */
const AuditLine = v.object({
  time: v.optional(v.string()),
  audit: v.looseObject({
    action: v.string(),
    uid: v.string(),
    subject: v.optional(v.string()),
    sourceAddress: v.optional(v.string()),
    client: v.optional(v.string()),
    actor: v.variant("kind", [
      v.looseObject({ kind: v.literal("key"), keyLabel: v.string(), keyHint: v.string() }),
      v.looseObject({ kind: v.literal("operator"), name: v.string() }),
    ]),
  }),
});
export type AuditLine = v.InferOutput<typeof AuditLine>;

/** The local log files of the functions and of this tool. */
const LOGS = ["functions.log", "audit.log"] as const;

/** Returns the audit entries since a time, oldest first. */
export type AuditSource = (since: Date) => Promise<AuditLine[]>;

/** Reads the log files of a local service. Entries without a time may be older than asked for; they come first, in the order of their file. */
export function fileSource(stateDirectory: string): AuditSource {
  return async (since) => {
    const lines: AuditLine[] = [];
    for (const log of LOGS) lines.push(...(await linesOf(join(stateDirectory, log))));
    const recent = lines.filter(({ time }) => time === undefined || time >= since.toISOString());
    return recent.sort((a, b) => (a.time ?? "").localeCompare(b.time ?? ""));
  };
}

async function linesOf(file: string): Promise<AuditLine[]> {
  if (!existsSync(file)) return [];
  const lines: AuditLine[] = [];
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    // Most lines are request logs: this check avoids parsing them.
    if (!text.includes('"audit"')) continue;
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), AuditLine), text);
    if (parsed.success) lines.push(parsed.output);
  }
  return lines;
}

const Page = v.object({
  entries: v.optional(v.array(v.object({ timestamp: v.string(), jsonPayload: v.looseObject({}) })), []),
  nextPageToken: v.optional(v.string()),
});

/** Reads Cloud Logging. Source: https://cloud.google.com/logging/docs/reference/v2/rest/v2/entries/list */
export function cloudSource(url: string, project: string, rest: GoogleRest): AuditSource {
  return async (since) => {
    const filter = `jsonPayload.audit.action:* AND timestamp>="${since.toISOString()}"`;
    const lines: AuditLine[] = [];
    let pageToken: string | undefined;
    do {
      const body = { resourceNames: [`projects/${project}`], filter, orderBy: "timestamp asc", pageSize: 1000, pageToken };
      const response = await rest("POST", `${url}/v2/entries:list`, body);
      if (!response.ok) throw new Error(`Cloud Logging returned ${response.status}: ${await response.text()}`);
      const { entries, nextPageToken } = v.parse(Page, await response.json());
      for (const { timestamp, jsonPayload } of entries) {
        const parsed = v.safeParse(AuditLine, { ...jsonPayload, time: timestamp });
        if (parsed.success) lines.push(parsed.output);
      }
      pageToken = nextPageToken;
    } while (pageToken);
    return lines;
  };
}
