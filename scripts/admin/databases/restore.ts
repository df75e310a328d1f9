import { text } from "../options.ts";
import type { Session } from "../session.ts";
import { UsageError } from "../usage-error.ts";
import { defineVerb } from "../verb.ts";
import type { Backup } from "./firestore-admin.ts";
import { recordOrigin } from "./origin.ts";
import { RECONCILE_HELP, RECONCILE_OPTIONS, reconcile } from "./reconcile.ts";
import { assertAbsent, checkTarget } from "./restored-name.ts";

export default defineVerb({
  words: "DATABASE",
  more: `  --backup NAME        the backup's full name (default: the newest one)
${RECONCILE_HELP}`,
  options: { backup: text, ...RECONCILE_OPTIONS },
  run: async ([database = ""], { backup: named, ...options }, session) => {
    checkTarget(session, database);
    await assertAbsent(session, database);
    const backup = await findBackup(session, named);
    await session.firestoreAdmin.restore(backup.name, database);
    const snapshot = new Date(backup.snapshotTime);
    await recordOrigin(session, database, snapshot);
    session.note(`${database} has the state of the backup of ${backup.snapshotTime}`);
    return reconcile(session, database, snapshot, options);
  },
});

/** Returns a backup of the main database, by default the newest. Throws a UsageError if there is none. */
export async function findBackup({ firestoreAdmin, config }: Pick<Session, "config" | "firestoreAdmin">, name?: string): Promise<Backup> {
  const { main } = config.databases;
  const backups = await firestoreAdmin.backups(main);
  const found = name === undefined ? backups[0] : backups.find((backup) => backup.name === name);
  if (found) return found;
  const known = backups.map((backup) => `\n   ${backup.name} of ${backup.snapshotTime}`).join("");
  throw new UsageError(backups.length === 0 ? `There is no backup of ${main}` : `There is no backup ${name}; there are:${known}`);
}
