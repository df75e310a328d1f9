import * as v from "valibot";
import { Uid } from "../../shared/accounts/machine-account-schemas.ts";
import { AUDIT_ACTIONS } from "../../shared/runtime/audit.ts";
import { type AuditLine, fileSource } from "./audit-source.ts";
import { requireCustomer } from "./find.ts";
import { instant, text } from "./options.ts";
import { table } from "./print.ts";
import { hintFor, UsageError } from "./usage-error.ts";
import { defineVerb } from "./verb.ts";

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
  run: async (_words, { uid, action, since: given }, session) => {
    const { place, config } = session;
    // A deleted customer has entries, so only what cannot be a uid is looked up.
    if (uid !== undefined && !v.is(Uid, uid)) await requireCustomer(session, uid);
    if (action !== undefined) requireAction(action);
    const filter = { uid, action, since: given === undefined ? undefined : instant("--since", given).toISOString() };
    if (place.kind === "cloud") {
      const command = cloudCommand(filter, config.project);
      return { json: { command }, lines: ["The audit is in Cloud Logging:", "", command] };
    }
    const since = new Date(filter.since ?? 0);
    const entries = (await fileSource(place.stateDirectory)(since)).filter((line) => matches(line, filter));
    return { json: { entries: entries.map(({ time, audit }) => ({ time: time ?? null, ...audit })) }, lines: table(entries.map(row)) };
  },
});

/** Throws a UsageError for an action that no entry can have: an empty answer would say that nothing was done. */
function requireAction(action: string): void {
  const groups = [...new Set(AUDIT_ACTIONS.map((known) => known.replace(/\..*$/, "")))];
  const known = [...AUDIT_ACTIONS, ...groups];
  if (known.includes(action)) return;
  throw new UsageError(`Unknown action ${JSON.stringify(action)}; ${hintFor(action, known, `actions: ${AUDIT_ACTIONS.join(", ")}`)}`);
}

function matches({ audit }: AuditLine, { uid, action }: Filter): boolean {
  if (uid !== undefined && audit.uid !== uid) return false;
  return action === undefined || audit.action === action || audit.action.startsWith(`${action}.`);
}

function row({ time, audit: { action, actor, uid, subject, sourceAddress, client } }: AuditLine) {
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

/** Longer than entries are kept. Without it and without a time in the filter, gcloud reads one day. */
const FRESHNESS = "3650d";

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
  const freshness = since === undefined ? ` --freshness ${FRESHNESS}` : "";
  return `gcloud logging read ${shellQuoted(terms.join(" AND "))} --project ${shellQuoted(project)}${freshness} --format json`;
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
