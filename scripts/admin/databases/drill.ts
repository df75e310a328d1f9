import { messageOf } from "../../../shared/runtime/error-message.ts";
import { flag, text } from "../options.ts";
import { table } from "../print.ts";
import type { Session } from "../session.ts";
import { UsageError } from "../usage-error.ts";
import { type Answer, defineVerb } from "../verb.ts";
import { readAccess } from "./access-state.ts";
import { type Counted, countDocuments } from "./documents.ts";
import { DRILL } from "./firestore-admin.ts";
import { openDatabase } from "./open-database.ts";
import { findBackup } from "./restore.ts";
import { wholeMinute } from "./snapshot-time.ts";
import { withdrawals } from "./withdrawals.ts";

export default defineVerb({
  words: "",
  more: `  --backup NAME        restores this backup, or the newest one (--backup newest), instead of cloning the last whole minute
  --keep               does not delete the copy
  Nothing of the service changes. The times are what a restoration takes here, without the deployment that points the functions at the copy.
`,
  options: { backup: text, keep: flag },
  run: (_words, options, session) => drill(session, options),
});

type Drilling = Pick<Session, "auditSince" | "config" | "db" | "firestoreAdmin" | "note" | "now">;

/** Runs a drill. Throws a UsageError if the copy of a minute differs from its source at that minute. The copy is deleted in any case. */
export async function drill(
  session: Drilling,
  { backup: named, keep }: { readonly backup?: string | undefined; readonly keep: boolean },
): Promise<Answer> {
  const { config, db, firestoreAdmin, now } = session;
  const { main } = config.databases;
  const database = `${DRILL}${now().toISOString().slice(0, 19).replaceAll(/\D/g, "")}`;
  const copy = openDatabase(config, database);
  const steps: { step: string; seconds: number }[] = [];
  const timed = async <T>(step: string, run: () => Promise<T>): Promise<T> => {
    const begun = performance.now();
    const result = await run();
    steps.push({ step, seconds: Math.round(performance.now() - begun) / 1000 });
    return result;
  };
  const backup = named === undefined ? undefined : await findBackup(session, named === "newest" ? undefined : named);
  const since = backup ? new Date(backup.snapshotTime) : wholeMinute(now());
  for (const left of (await firestoreAdmin.list()).filter((id) => id.startsWith(DRILL)))
    session.note(
      `${left} is there: another drill runs, or one was killed and left it. In the latter case: ${deletion(left, config.project)}`,
    );
  try {
    if (backup) await timed("restore the backup", () => firestoreAdmin.restore(backup.name, database));
    else await timed("clone", () => firestoreAdmin.clone(main, database, since));
    const there = await timed("read the copy", () => countDocuments(copy));
    const gone = await timed("compare access with the present database and the audit", async () =>
      withdrawals(await readAccess(copy), await readAccess(db), await session.auditSince(since)),
    );
    // The past of a backup cannot be read: the documents of today may be others.
    const source = await timed("read the source", () => countDocuments(db, backup ? undefined : since));
    const rows = compared(source, there);
    const differ = rows.filter(({ same }) => same !== "yes");
    if (!backup && differ.length > 0)
      throw new UsageError(
        `The copy differs from ${main} at ${since.toISOString()} in ${differ.map(({ collection }) => collection).join(", ")}`,
      );
    if (!keep) await timed("delete the copy", () => firestoreAdmin.remove(database));
    return {
      json: { database, since: since.toISOString(), collections: rows, withdrawals: gone.length, steps },
      lines: [
        `${database}: ${backup ? `the backup of ${since.toISOString()}` : `${main} at ${since.toISOString()}`}${keep ? "" : ", deleted again"}`,
        ...table(rows),
        ...table(steps),
        `${gone.length} withdrawals since then would be repeated before the functions use it`,
      ],
    };
  } catch (error) {
    if (!keep) await removeCopy(session, database);
    throw error;
  }
}

/** Deletes the copy of a drill that failed, if it was made. Notes if it cannot be deleted. */
async function removeCopy({ firestoreAdmin, config, note }: Drilling, database: string): Promise<void> {
  try {
    if ((await firestoreAdmin.list()).includes(database)) await firestoreAdmin.remove(database);
  } catch (why) {
    note(`${database} may still be there (${messageOf(why)}): ${deletion(database, config.project)}`);
  }
}

function deletion(database: string, project: string): string {
  return `gcloud firestore databases delete --database=${database} --project ${project}`;
}

function compared(source: ReadonlyMap<string, Counted>, copy: ReadonlyMap<string, Counted>) {
  return [...new Set([...source.keys(), ...copy.keys()])].sort().map((collection) => {
    const [was, is] = [source.get(collection), copy.get(collection)];
    return { collection, source: was?.documents ?? 0, copy: is?.documents ?? 0, same: was?.digest === is?.digest ? "yes" : "no" };
  });
}
