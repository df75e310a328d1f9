import * as v from "valibot";
import type { AuditEntry } from "../../../shared/runtime/audit.ts";
import { confirm } from "../confirm.ts";
import { flag, texts } from "../options.ts";
import { counted, table } from "../print.ts";
import type { Session } from "../session.ts";
import { COMMAND, UsageError } from "../usage-error.ts";
import type { Answer } from "../verb.ts";
import { readAccess } from "./access-state.ts";
import { openDatabase } from "./open-database.ts";
import { type Found, foundWithout } from "./undeleted.ts";
import { withdraw } from "./withdraw.ts";
import { stateAt, type Withdrawal } from "./withdrawals.ts";

/** The options of every verb that makes a restored database ready. */
export const RECONCILE_OPTIONS = {
  unexplained: v.optional(v.picklist(["withdraw", "keep"], "must be withdraw or keep")),
  undelete: texts,
  "present-lost": flag,
  yes: flag,
};

export const RECONCILE_HELP = `  --unexplained W      what to do with access that is gone and has no audit entry, for example because a mistake deleted it: withdraw it
                       again, or keep what the restored database has. Without it, such access is listed and the command fails
  --undelete UID       a customer that was deleted by mistake is kept, with the keys that nobody had revoked by then; repeatable
  --present-lost       the present database cannot be read: takes from the audit alone what was withdrawn
  --yes                does not ask
`;

type Options = v.InferOutput<v.ObjectSchema<typeof RECONCILE_OPTIONS, undefined>> & {
  /** The database to compare with, by default the one that the functions use. */
  readonly present?: string | undefined;
  /** When the restored database was made, if the functions use it by now: it has what was granted in it since. */
  readonly usedSince?: Date;
};

/** The actions of the audit for what is withdrawn again. */
const ACTIONS = {
  "customer deleted": "customer.delete",
  "customer suspended": "customer.suspend",
  "customer limited": "customer.allow",
  "key revoked": "key.revoke",
  "key limited": "key.change",
} as const satisfies Record<Withdrawal["kind"], AuditEntry["action"]>;

/**
 * Compares a restored database, whose state is that of `since`, with the present one and the audit, and takes away again what was taken away
 * since. Throws a UsageError that names what it did not decide.
 */
export async function reconcile(session: Session, database: string, since: Date, options: Options): Promise<Answer> {
  const { config } = session;
  const present = options.present ?? config.databases.main;
  const restored = openDatabase(config, database);
  const find = async (): Promise<Found> => {
    const [state, audit] = [await readAccess(restored), await session.auditSince(since)];
    const older = options.usedSince ? stateAt(options.usedSince, state, audit) : state;
    const now = options["present-lost"] ? undefined : await readAccess(openDatabase(config, present));
    return foundWithout(options.undelete, older, now, audit);
  };
  const { found, byHand } = await find();
  const chosen = found.filter(({ because }) => because !== undefined || options.unexplained === "withdraw");
  for (const line of table(found.map(row))) session.note(line);
  if (chosen.length > 0) {
    await confirm(
      session,
      `Withdraw ${counted(chosen.length, "access", "accesses")} again in ${database}?`,
      options.yes,
      `. ${database} still has this access: do not point the functions at it. ${again(database)} asks again`,
    );
    for (const withdrawal of chosen) {
      await withdraw(restored, withdrawal, session.now());
      await session.record(
        ACTIONS[withdrawal.kind],
        withdrawal.uid,
        `${subjectOf(withdrawal)}, again in the restored database ${database}`,
      );
    }
  }
  const left = (await find()).found.filter(({ because }) => because !== undefined || options.unexplained !== "keep");
  if (left.length > 0) throw new UsageError(undecided(left, database));
  const lines = [
    found.length === 0
      ? `Nothing that was withdrawn since ${since.toISOString()} is back in ${database}`
      : `${counted(chosen.length, "access", "accesses")} withdrawn again in ${database}`,
    ...byHand.map(
      ({ time, audit: { action, uid, subject } }) =>
        `By hand, once the functions use ${database}: ${action} ${uid} ${subject ?? ""} (${time})`,
    ),
    ...(database === config.databases.main ? [] : next(session, database, options.undelete)),
  ];
  return { json: { database, since: since.toISOString(), withdrawn: chosen.map(row), byHand, kept: found.length - chosen.length }, lines };
}

function undecided(left: readonly Withdrawal[], database: string): string {
  const names = left.map((one) => `   ${one.kind}: ${one.uid} ${subjectOf(one)}`).join("\n");
  return `Do not point the functions at ${database} yet. This access is gone from the present database, but the audit does not say why:
${names}
Decide: it stays gone, or it comes back, for example what a mistake deleted:
   ${again(database)} --unexplained withdraw
   ${again(database)} --unexplained keep`;
}

function again(database: string): string {
  return `${COMMAND} databases reconcile ${database}`;
}

function next({ place, config }: Session, database: string, undeleted: readonly string[]): string[] {
  const { main } = config.databases;
  const kept = undeleted.map((uid) => ` --undelete ${uid}`).join("");
  const point =
    place.kind === "local"
      ? `start the service with --data and --database '${database}'`
      : `set databases = { main = "${database}", kept = ["${main}"] } in terraform.tfvars, and deploy`;
  return [
    `Next: ${point}. What is withdrawn until then is only in ${main}, so run this again after it:`,
    `   ${again(database)} --present '${main}'${kept}`,
    ...undeleted.map(
      (uid) => `Then make the accounts of ${uid} work again: ${COMMAND} customers ${place.kind === "local" ? "resume" : "activate"} ${uid}`,
    ),
  ];
}

function row(withdrawal: Withdrawal) {
  const { kind, uid, because } = withdrawal;
  const actor = because?.audit.actor;
  const who = actor === undefined ? "" : actor.kind === "key" ? `${actor.keyLabel} (${actor.keyHint}…)` : actor.name;
  return {
    kind,
    uid,
    what: subjectOf(withdrawal),
    audit: because ? `${because.audit.action} ${because.time ?? ""} ${who}`.trim() : "no entry",
  };
}

function subjectOf(withdrawal: Withdrawal): string {
  return "hash" in withdrawal ? `${withdrawal.keyLabel} (${withdrawal.keyHint ?? "?"}…)` : withdrawal.name;
}
