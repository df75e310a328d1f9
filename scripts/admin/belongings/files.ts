import { openExports } from "../../../shared/cloud/exports.ts";
import type { Session } from "../session.ts";

/** Removes everything in a customer's folder of the export bucket. Gives how many files there were. */
export async function removeFiles({ config }: Session, uid: string): Promise<number> {
  const exports = openExports(config);
  const folder = `results/${uid}/`;
  const files = await exports.list(folder);
  if (files.length > 0) await exports.remove(folder);
  return files.length;
}

/** Removes the snapshot of a customer's latest headcounts. Gives how many there were, none or one. */
export async function removeSnapshot({ db }: Session, uid: string): Promise<number> {
  const snapshot = db.collection("snapshots").doc(uid);
  if (!(await snapshot.get()).exists) return 0;
  await snapshot.delete();
  return 1;
}
