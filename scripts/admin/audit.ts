import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as v from "valibot";
import { text } from "./options.ts";
import { table } from "./print.ts";
import { UsageError } from "./usage-error.ts";
import { defineVerb } from "./verb.ts";

/** A log line with an audit entry. Lines of the functions carry no time: in the cloud, Cloud Logging adds it. */
const Line = v.object({
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
type Line = v.InferOutput<typeof Line>;

/** The local log files of the functions and of this tool. */
const LOGS = ["functions.log", "audit.log"] as const;

interface Filter {
  readonly uid: string | undefined;
  readonly action: string | undefined;
  readonly since: string | undefined;
}

export default defineVerb({
  words: "",
  more: `  --uid UID            entries of one customer
  --action A           entries of one action, for example key.rotate, or of one group of actions, for example key
  --since T            entries since a time, for example 2026-11-21 or 2026-11-21T12:00:00Z; locally also entries without a time
  With --project, prints the command that queries Cloud Logging.
`,
  options: { uid: text, action: text, since: text },
  run: async (_words, { uid, action, since: given }, { place, config }) => {
    const filter = { uid, action, since: given === undefined ? undefined : instant(given) };
    if (place.kind === "cloud") {
      const command = cloudCommand(filter, config.project);
      return { json: { command }, lines: ["The audit is in Cloud Logging:", "", command] };
    }
    const entries: Line[] = [];
    for (const log of LOGS) entries.push(...(await readEntries(join(place.stateDirectory, log), filter)));
    // The sort is stable: entries without a time stay in file order, before the others.
    entries.sort((a, b) => (a.time ?? "").localeCompare(b.time ?? ""));
    return { json: { entries: entries.map(({ time, audit }) => ({ time: time ?? null, ...audit })) }, lines: table(entries.map(row)) };
  },
});

function instant(given: string): string {
  const time = new Date(given);
  if (Number.isNaN(time.getTime())) throw new UsageError(`--since ${JSON.stringify(given)} is not a time; example: 2026-11-21T12:00:00Z`);
  return time.toISOString();
}

async function readEntries(file: string, filter: Filter): Promise<Line[]> {
  if (!existsSync(file)) return [];
  const entries: Line[] = [];
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    // Most lines are request logs: this check avoids parsing them.
    if (!text.includes('"audit"')) continue;
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Line), text);
    if (parsed.success && matches(parsed.output, filter)) entries.push(parsed.output);
  }
  return entries;
}

function matches({ time, audit }: Line, { uid, action, since }: Filter): boolean {
  if (uid !== undefined && audit.uid !== uid) return false;
  if (action !== undefined && audit.action !== action && !audit.action.startsWith(`${action}.`)) return false;
  return since === undefined || time === undefined || time >= since;
}

function row({ time, audit: { action, actor, uid, subject, sourceAddress, client } }: Line) {
  const who = actor.kind === "key" ? `${actor.keyLabel} (${actor.keyHint}…)` : `operator ${actor.name}`;
  return {
    time: time ?? "–",
    action,
    who,
    uid,
    what: subject ?? "",
    from: [sourceAddress ?? "", client ? `(${client})` : ""].join(" ").trim(),
  };
}

/**
 * Returns the gcloud command that queries Cloud Logging with the same filter.
 * Source: https://cloud.google.com/logging/docs/view/logging-query-language
 */
function cloudCommand({ uid, action, since }: Filter, project: string): string {
  const terms = [
    "jsonPayload.audit.action:*",
    ...(uid === undefined ? [] : [`jsonPayload.audit.uid=${JSON.stringify(uid)}`]),
    ...(action === undefined ? [] : [`jsonPayload.audit.action=~${JSON.stringify(`^${escapeRegExp(action)}(\\.|$)`)}`]),
    ...(since === undefined ? [] : [`timestamp>="${since}"`]),
  ];
  return `gcloud logging read ${shellQuoted(terms.join(" AND "))} --project ${shellQuoted(project)} --format json`;
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
