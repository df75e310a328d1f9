import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as v from "valibot";
import { text } from "./options.ts";
import { table } from "./print.ts";
import { UsageError } from "./usage-error.ts";
import { defineVerb } from "./verb.ts";

/** A line of a log that is an audit entry. The functions' lines have no time of their own: Cloud Logging gives them theirs. */
const Line = v.object({
  time: v.optional(v.string()),
  audit: v.looseObject({
    action: v.string(),
    uid: v.string(),
    subject: v.optional(v.string()),
    sourceAddress: v.optional(v.string()),
    actor: v.variant("kind", [
      v.looseObject({ kind: v.literal("key"), keyLabel: v.string(), keyHint: v.string() }),
      v.looseObject({ kind: v.literal("operator"), name: v.string() }),
    ]),
  }),
});
type Line = v.InferOutput<typeof Line>;

/** Where the functions, and this tool, write locally. */
const LOGS = ["functions.log", "audit.log"] as const;

interface Filter {
  readonly uid: string | undefined;
  readonly action: string | undefined;
  readonly since: string | undefined;
}

export default defineVerb({
  words: "",
  more: `  --uid UID            of one customer
  --action A           of one kind, for example key.rotate, or of one family, for example key
  --since T            since a time, for example 2026-11-21 or 2026-11-21T12:00:00Z; locally, entries without a time are shown too
  With --project, it gives the command that asks Cloud Logging.
`,
  options: { uid: text, action: text, since: text },
  run: async (_words, { uid, action, since: given }, { place, config }) => {
    const filter = { uid, action, since: given === undefined ? undefined : instant(given) };
    if (place.kind === "cloud") {
      const command = cloudCommand(filter, config.project);
      return { json: { command }, lines: ["Cloud Logging keeps the audit:", "", command] };
    }
    const entries: Line[] = [];
    for (const log of LOGS) entries.push(...(await readEntries(join(place.stateDirectory, log), filter)));
    // Stable: those without a time stay where they are, before the others.
    entries.sort((a, b) => (a.time ?? "").localeCompare(b.time ?? ""));
    return { json: { entries: entries.map(({ time, audit }) => ({ time: time ?? null, ...audit })) }, lines: table(entries.map(row)) };
  },
});

function instant(given: string): string {
  const time = new Date(given);
  if (Number.isNaN(time.getTime())) throw new UsageError(`--since ${JSON.stringify(given)} is no time; for example 2026-11-21T12:00:00Z`);
  return time.toISOString();
}

async function readEntries(file: string, filter: Filter): Promise<Line[]> {
  if (!existsSync(file)) return [];
  const entries: Line[] = [];
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    // Most lines tell of requests: a look spares their parsing.
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

function row({ time, audit: { action, actor, uid, subject, sourceAddress } }: Line) {
  const who = actor.kind === "key" ? `${actor.keyLabel} (${actor.keyHint}…)` : `operator ${actor.name}`;
  return { time: time ?? "–", action, who, uid, what: subject ?? "", from: sourceAddress ?? "" };
}

/** The command that asks Cloud Logging for the same. Source: https://cloud.google.com/logging/docs/view/logging-query-language */
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
