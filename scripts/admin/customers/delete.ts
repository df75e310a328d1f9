import * as v from "valibot";
import { removeCustomer, revokeAllKeys } from "../../../shared/accounts/customer-lifecycle.ts";
import { findCustomer } from "../../../shared/accounts/customers-admin.ts";
import { openDeletedCustomers } from "../../../shared/accounts/deleted-customers.ts";
import { Uid } from "../../../shared/accounts/machine-account-schemas.ts";
import { countMonitoredRows, deleteFiles, deleteRows, openCustomerDataStores } from "../../../shared/customer-deletion/delete-data.ts";
import { STREAMED_MS } from "../../../shared/realtime/customer-rows.ts";
import { confirmTyped } from "../confirm.ts";
import { forgetForTerraform } from "../customers-file.ts";
import { requireCustomer } from "../find.ts";
import { flag } from "../options.ts";
import { removeDatasets } from "../owned-data/datasets.ts";
import { removeJobs } from "../owned-data/jobs.ts";
import { removeMaps } from "../owned-data/maps.ts";
import { counted, fields } from "../print.ts";
import type { Session } from "../session.ts";
import { COMMAND } from "../usage-error.ts";
import { defineVerb } from "../verb.ts";

/** Rounds until nothing is left: a request that was let in before the keys ended may still add something to the first one. */
const ROUNDS_MAX = 5;

export default defineVerb({
  words: "UID",
  more: `  --yes                does not ask for the uid to be typed
  Keys and tokens die first. When it stops on the way, run it again: it goes on where it stopped.
`,
  options: { yes: flag },
  run: async ([uid = ""], { yes }, session) => {
    const { name } = (await leftBehind(session, uid)) ?? (await requireCustomer(session, uid));
    await confirmTyped(session, `${name} goes for good, with all its keys, jobs, maps, files and headcounts.`, uid, yes);
    await session.record("customer.delete", uid, `${name}: begun`);
    const removed = await removeAll(session, uid);
    await session.record("customer.delete", uid, `${name}: done`);
    await openDeletedCustomers(session.config).finish(uid);
    return { json: { uid, removed }, lines: [`${name} is deleted. Removed:`, ...fields(removed)] };
  },
});

/** What goes by the name of a customer that is gone but for something that an earlier run could not remove. */
async function leftBehind(session: Session, uid: string): Promise<{ readonly name: string } | undefined> {
  const { db, config } = session;
  if (!v.is(Uid, uid) || (await findCustomer(db, uid))) return undefined;
  const ofUid = (name: string) => db.collection(name).where("uid", "==", uid).limit(1).get();
  const documents = await Promise.all(["apiKeys", "jobs", "maps", "mapChanges"].map(ofUid));
  if (documents.some(({ empty }) => !empty)) return { name: `What is left of ${uid}` };
  const { exports, home, gone } = openCustomerDataStores(config);
  const { old, recent } = await countMonitoredRows(home, uid, session.now());
  const isLeft = old + recent > 0 || (await gone.isUnfinished(uid)) || (await exports.list(`results/${uid}/`)).length > 0;
  return isLeft ? { name: `What is left of ${uid}` } : undefined;
}

/** Removes everything, what is dangerous first. Each step may be repeated. Gives what there was. */
async function removeAll(session: Session, uid: string): Promise<Record<string, number>> {
  const { db, serviceAccounts } = session;
  const keys = await revokeAllKeys(db, uid);
  const accounts = (await serviceAccounts.setEnabled(uid, false)).length;
  const owned = { jobs: 0, maps: 0 };
  for (let round = 1; ; round++) {
    owned.jobs += await removeJobs(session, uid);
    owned.maps += await removeMaps(session, uid);
    if (await removeCustomer(db, uid, session.now())) break;
    if (round === ROUNDS_MAX) throw new Error("Something is still being added for this customer; run it again in a minute");
  }
  // Behind the customer itself: from now on nothing can be added but by what is at work this moment, which is swept up behind.
  const places = openCustomerDataStores(session.config);
  const files = await deleteFiles(places, uid);
  const { headcounts, monitored, tooRecent } = await deleteRows(places, uid, session.now());
  const datasets = await removeDatasets(session, uid);
  const snapshots = await places.gone.removeSnapshot(uid);
  forgetForTerraform(session, uid);
  if (tooRecent > 0) {
    const when = new Date(session.now().getTime() + STREAMED_MS).toISOString();
    session.note(
      `${counted(tooRecent, "row")} of its monitored maps came too lately for BigQuery to delete: the sweeper removes them soon after ${when}, ${COMMAND} customers delete ${uid} does too`,
    );
  }
  return { keys, serviceAccounts: accounts, ...owned, files, headcounts, monitoredRows: monitored, datasets, snapshots };
}
