import * as v from "valibot";
import { removeCustomer, revokeAllKeys } from "../../../shared/accounts/customer-lifecycle.ts";
import { findCustomer } from "../../../shared/accounts/customers-admin.ts";
import { openDeletedCustomers } from "../../../shared/accounts/deleted-customers.ts";
import { Uid } from "../../../shared/accounts/machine-account-schemas.ts";
import { countMonitoredRows, deleteFiles, deleteRows, openCustomerDataStores } from "../../../shared/customer-deletion/delete-data.ts";
import { STREAMED_MS } from "../../../shared/realtime/customer-rows.ts";
import { confirmTyped } from "../confirm.ts";
import { removeFromCustomersFile } from "../customers-file.ts";
import { requireCustomer } from "../find.ts";
import { flag } from "../options.ts";
import { removeDatasets } from "../owned-data/datasets.ts";
import { removeJobs } from "../owned-data/jobs.ts";
import { removeMaps } from "../owned-data/maps.ts";
import { counted, fields } from "../print.ts";
import type { Session } from "../session.ts";
import { COMMAND } from "../usage-error.ts";
import { defineVerb } from "../verb.ts";

/** Removal rounds: a request that was admitted before the keys were revoked can still add documents during the first one. */
const ROUNDS_MAX = 5;

export default defineVerb({
  words: "UID",
  more: `  --yes                does not ask you to type the uid
  Keys and tokens are revoked first. If it fails, run it again: it continues where it stopped.
`,
  options: { yes: flag },
  run: async ([uid = ""], { yes }, session) => {
    const { name } = (await leftBehind(session, uid)) ?? (await requireCustomer(session, uid));
    await confirmTyped(session, `This permanently deletes ${name} with all its keys, jobs, maps, files and headcounts.`, uid, yes);
    await session.record("customer.delete", uid, `${name}: begun`);
    const removed = await removeAll(session, uid);
    await session.record("customer.delete", uid, `${name}: done`);
    await openDeletedCustomers(session.config).finish(uid);
    return { json: { uid, removed }, lines: [`${name} is deleted. Removed:`, ...fields(removed)] };
  },
});

/** Returns a name for the remains of a customer that an earlier run did not delete completely, or undefined if there are none. */
async function leftBehind(session: Session, uid: string): Promise<{ readonly name: string } | undefined> {
  const { db, config } = session;
  if (!v.is(Uid, uid) || (await findCustomer(db, uid))) return undefined;
  const ofUid = (name: string) => db.collection(name).where("uid", "==", uid).limit(1).get();
  const documents = await Promise.all(["apiKeys", "jobs", "maps", "mapChanges"].map(ofUid));
  if (documents.some(({ empty }) => !empty)) return { name: `What is left of ${uid}` };
  const { exports, home, deletedCustomers } = openCustomerDataStores(config);
  const { old, recent } = await countMonitoredRows(home, uid, session.now());
  const isLeft = old + recent > 0 || (await deletedCustomers.isUnfinished(uid)) || (await exports.list(`results/${uid}/`)).length > 0;
  return isLeft ? { name: `What is left of ${uid}` } : undefined;
}

/** Removes everything, access first. Each step is idempotent. Returns how much of each kind was removed. */
async function removeAll(session: Session, uid: string): Promise<Record<string, number>> {
  const { db, serviceAccounts } = session;
  const keys = await revokeAllKeys(db, uid);
  const customer = await findCustomer(db, uid);
  const accounts = (await serviceAccounts.setEnabled(customer ?? { removed: uid }, false)).length;
  const owned = { jobs: 0, maps: 0 };
  for (let round = 1; ; round++) {
    owned.jobs += await removeJobs(session, uid);
    owned.maps += await removeMaps(session, uid);
    if (await removeCustomer(db, uid, session.now())) break;
    if (round === ROUNDS_MAX) throw new Error("Data is still being added for this customer; run it again in a minute");
  }
  // The customer document is gone: only work that runs right now can still add data, and the sweeper removes that.
  const stores = openCustomerDataStores(session.config);
  const files = await deleteFiles(stores, uid);
  const { headcounts, tables, monitored, tooRecent } = await deleteRows(stores, uid, session.now());
  const datasets = await removeDatasets(session, uid);
  const snapshots = await stores.snapshots.remove(uid);
  const usage = await stores.usage.remove(uid);
  removeFromCustomersFile(session, uid);
  if (tooRecent > 0) {
    const when = new Date(session.now().getTime() + STREAMED_MS).toISOString();
    session.note(
      `${counted(tooRecent, "row")} of its monitored maps ${tooRecent === 1 ? "is" : "are"} too recent for BigQuery to delete. The sweeper deletes them soon after ${when}; so does ${COMMAND} customers delete ${uid}`,
    );
  }
  return { keys, serviceAccounts: accounts, ...owned, files, headcounts, tables, monitoredRows: monitored, datasets, snapshots, usage };
}
