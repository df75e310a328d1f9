import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomOf } from "../simulation/random.ts";
import { dataArrives } from "./arrivals.ts";
import { clientOf } from "./client.ts";
import { rehearsalCustomers } from "./customers.ts";
import { type Estate, startEstate } from "./estate.ts";
import { lostWrites } from "./ledger.ts";
import { startLoad } from "./load.ts";
import { deployNext, migrateTables, releaseBefore, rollBack, shiftTraffic } from "./phases.ts";
import { answeredBy } from "./proof.ts";
import type { Succession } from "./releases.ts";
import { restoreBackup } from "./restore.ts";
import { type Step, startSteps } from "./steps.ts";

/** What a rehearsal found. */
export interface Rehearsed {
  readonly steps: readonly Step[];
  /** How many requests of customers each version has answered. */
  readonly answered: Readonly<Record<"N-1" | "N", number>>;
  /** Requests that were not answered as they should be. */
  readonly failures: readonly string[];
  /** How many writes were acknowledged, and which of them cannot be read at the end. */
  readonly writes: number;
  readonly lost: readonly string[];
}

const CUSTOMERS = 5;

/**
 * Deploys a release, uses it, deploys the next one step by step as `scripts/deploy` does, and rolls back; then, if the succession says so, restores a
 * backup into another database and continues. Customers send requests all the time. Every step proves that it was taken.
 * @param say receives a line for each step
 */
export async function rehearse(succession: Succession, say: (line: string) => void): Promise<Rehearsed> {
  const stateDirectory = mkdtempSync(join(tmpdir(), "populus-rehearsal-"));
  const estate = await startEstate(stateDirectory);
  let isWhole = false;
  try {
    const found = await walk(estate, succession, say);
    isWhole = found.failures.length + found.lost.length === 0;
    return found;
  } finally {
    await estate.close();
    if (isWhole) rmSync(stateDirectory, { recursive: true, force: true });
    else say(`  Logs: ${stateDirectory}`);
  }
}

async function walk(estate: Estate, succession: Succession, say: (line: string) => void): Promise<Rehearsed> {
  const { front } = estate;
  const steps = startSteps(say);
  const before = await releaseBefore(estate, succession, steps);
  const customers = await rehearsalCustomers(estate.project, estate.environment.GCE_METADATA_HOST ?? "", CUSTOMERS);
  const [walker, ...others] = customers;
  if (!walker) throw new Error("There are no customers");
  const bases = { users: front.urlOf("users"), data: front.urlOf("data") };
  const clients = others.map((customer) => clientOf(customer, bases));
  const load = startLoad(clients, randomOf(1));
  try {
    const rehearsal = { estate, succession, steps, walker, load };
    await migrateTables(rehearsal, before);
    const next = await deployNext(rehearsal);
    await shiftTraffic(rehearsal, before, next);
    await dataArrives(rehearsal, next);
    await rollBack(rehearsal, before, next);
    if (succession.isRestored) await restoreBackup(rehearsal, next);
    await load.stop();
    const lost: string[] = [];
    for (const [client, ledger] of load.ledgers) lost.push(...(await lostWrites(client, ledger)));
    const writes = [...load.ledgers.values()].reduce((sum, ledger) => sum + ledger.writes, 0);
    const passed = front.passed();
    const answered = { "N-1": answeredBy(passed, "N-1").requests, N: answeredBy(passed, "N").requests };
    return { steps: steps.taken, answered, failures: load.failures, writes, lost };
  } finally {
    await load.stop();
  }
}
