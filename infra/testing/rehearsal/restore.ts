import { setTimeout as delay } from "node:timers/promises";
import { isOver } from "../../../shared/jobs/job-state.ts";
import { Any, Failed, JobStand } from "./client.ts";
import { allDocuments } from "./documents.ts";
import type { Running } from "./estate.ts";
import { type Rehearsal, usePhase } from "./phases.ts";
import { type Proof, restoreProofs } from "./proof.ts";

const RESTORED = "restored";
const JOBS_MS = 60_000;

/**
 * Takes a backup, loses the maps and jobs of all customers, restores the backup into a database of another name, points the functions there, and
 * continues. Customers send no requests from the backup until then: what they had written meanwhile would be lost, as in the cloud.
 */
export async function restoreBackup(rehearsal: Rehearsal, next: Running): Promise<void> {
  const { estate, steps, load, succession } = rehearsal;
  const { front } = estate;
  await steps.take("forward to N again", async () => {
    front.switchWorkers("N");
    front.shift(1);
    return usePhase(rehearsal, next);
  });
  const operator = await estate.firestoreAdmin();
  const former = estate.database();
  const restored = estate.database(RESTORED);
  let backup = "";
  let documents = 0;
  await steps.take("back up", async () => {
    await load.pause();
    await jobsEnd(rehearsal);
    await front.settled();
    backup = await operator.takeBackup("(default)");
    documents = (await allDocuments(former)).length;
    return [{ what: "documents", found: documents, least: 1 }];
  });
  let damaged = 0;
  await steps.take("lose documents", async () => {
    for (const name of ["maps", "jobs"]) {
      const { docs } = await former.collection(name).get();
      await Promise.all(docs.map(({ ref }) => ref.delete()));
      damaged += docs.length;
    }
    return [{ what: "documents lost", found: damaged, least: 1 }, await missingMaps(rehearsal)];
  });
  await steps.take(`restore into the database ${RESTORED}`, async () => {
    const { error } = await operator.ended(await operator.restore(backup, RESTORED));
    if (error) throw new Failed(`The backup was not restored: ${error.message}`);
    return restoreProofs(documents, (await allDocuments(restored)).length, damaged);
  });
  const restoredAt = Date.now();
  await steps.take(`continue in ${RESTORED}`, async () => {
    await estate.grantDatabases(["(default)", RESTORED]);
    const pointed = await estate.run("N", succession.after.program, { FIRESTORE_DATABASE: RESTORED });
    await estate.stop(next);
    await estate.grantDatabases([RESTORED]);
    load.resume();
    const proofs = await usePhase(rehearsal, pointed);
    const writtenTo = async (db: typeof former) =>
      (await allDocuments(db)).filter(({ updateTime }) => updateTime.toMillis() > restoredAt).length;
    return [
      ...proofs,
      { what: `documents written in ${RESTORED} since`, found: await writtenTo(restored), least: 1 },
      { what: "documents written in (default) since", found: await writtenTo(former), least: 0, most: 0 },
    ];
  });
  await Promise.all([former.terminate(), restored.terminate()]);
}

/** Waits until every job of the load has ended: none is under way in the backup. */
async function jobsEnd({ load }: Rehearsal): Promise<void> {
  const until = Date.now() + JOBS_MS;
  for (const [client, { jobs }] of load.ledgers)
    for (const id of jobs) {
      const stand = () => client.send({ api: "data", path: `/data-agg/status/${id}` }, 200, JobStand);
      while (!isOver(await stand())) {
        if (Date.now() > until) throw new Failed(`The job ${id} does not end`);
        await delay(50);
      }
    }
}

/** The proof that customers miss what was lost: their maps are not found. */
async function missingMaps({ load }: Rehearsal): Promise<Proof> {
  let found = 0;
  for (const [client, { maps }] of load.ledgers)
    for (const [id, known] of maps) {
      if (known === "deleted") continue;
      await client.send({ api: "users", path: `/admin/maps/${id}` }, 404, Any);
      found++;
    }
  return { what: "maps that customers miss", found, least: 1 };
}
