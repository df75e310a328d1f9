import * as v from "valibot";
import { DatabaseId } from "../../../shared/runtime/config.ts";
import type { Session } from "../session.ts";
import { COMMAND, UsageError } from "../usage-error.ts";

/** Throws a UsageError unless a restored database can have this name: not that of the present one, nor that of what is noted about requests. */
export function checkTarget({ config }: Pick<Session, "config">, database: string, present = config.databases.main): void {
  const parsed = v.safeParse(DatabaseId, database);
  if (!parsed.success) throw new UsageError(`DATABASE ${parsed.issues[0].message}, not ${JSON.stringify(database)}`);
  if (database === present || database === config.databases.usage)
    throw new UsageError(`${database} is in use: DATABASE is the restored one, of another name`);
}

/** Throws a UsageError if a database is there that is to be made: an earlier run made it, and may have been interrupted. */
export async function assertAbsent({ firestoreAdmin }: Pick<Session, "firestoreAdmin">, database: string): Promise<void> {
  if (!(await firestoreAdmin.list()).includes(database)) return;
  throw new UsageError(
    `${database} is there already. To continue an earlier run: ${COMMAND} databases reconcile ${database}. For another state, name another database`,
  );
}
