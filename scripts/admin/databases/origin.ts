import type { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { StoredTime } from "../../../shared/google/firestore.ts";
import type { Session } from "../session.ts";
import { COMMAND, UsageError } from "../usage-error.ts";
import { openDatabase } from "./open-database.ts";

/** The collection, in each restored database, of the times of the states that it and the databases before it were made from. */
const RESTORATIONS = "restorations";
const Restoration = v.object({ snapshotTime: StoredTime });

/** What is known of a restored database. */
export interface Origin {
  /** The time of the state that it was made from; undefined for one that neither this tool nor a backup made, such as an import. */
  readonly snapshotTime: Date | undefined;
  /** When it was made. Whatever was granted later was granted in it. */
  readonly createTime: Date;
}

/** Records in a new database the time of the state that it was made from. Google keeps the time of a backup only, and while that exists. */
export async function recordOrigin({ config }: Pick<Session, "config">, database: string, snapshotTime: Date): Promise<void> {
  await record(openDatabase(config, database), database).set({ snapshotTime });
}

/** Returns the origin of a restored database. Throws a UsageError if the database is not there. */
export async function originOf({ config, firestoreAdmin }: Pick<Session, "config" | "firestoreAdmin">, database: string): Promise<Origin> {
  const { createTime, backupTime } = await firestoreAdmin.describe(database);
  // A copy of a restored database has that one's record too: each has its own name.
  const recorded = await record(openDatabase(config, database), database).get();
  const snapshotTime = recorded.exists ? v.parse(Restoration, recorded.data()).snapshotTime : backupTime;
  return { snapshotTime, createTime };
}

/**
 * Returns the time since which access may have been withdrawn that a restored database has: that of its state, or an earlier one that the operator
 * gives. Throws a UsageError for a later one, since what was withdrawn before it would come back.
 */
export function sinceOf(database: string, { snapshotTime, createTime }: Origin, given: Date | undefined): Date {
  const latest = snapshotTime ?? createTime;
  if (given !== undefined && given > latest)
    throw new UsageError(
      `--since ${given.toISOString()} is too late: what was withdrawn before it would come back. ${database} ${
        snapshotTime
          ? `has the state of ${latest.toISOString()}; omit --since`
          : `was made at ${latest.toISOString()}, from an earlier state`
      }`,
    );
  const since = given ?? snapshotTime;
  if (since === undefined)
    throw new UsageError(
      `--since T is missing: ${database} has no record of its state, as those of ${COMMAND} databases clone and restore do. T is the time of the
state that it was made from, such as that of an imported export`,
    );
  return since;
}

function record(db: Firestore, database: string) {
  return db.collection(RESTORATIONS).doc(database);
}
