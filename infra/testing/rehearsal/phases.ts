import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import definedTables from "../../generated/tables.json" with { type: "json" };
import { DefinedTables } from "../../migrations/released.ts";
import { Any, clientOf, Failed } from "./client.ts";
import type { Estate, Running } from "./estate.ts";
import type { Passed, Version } from "./front.ts";
import { walkJourneys } from "./journeys.ts";
import { type Load, previewOf } from "./load.ts";
import { answeredBy, migrationProofs, type Proof, splitProofs, wholeProofs, workedProofs } from "./proof.ts";
import type { Succession } from "./releases.ts";
import type { Steps } from "./steps.ts";
import { migrate, standOf } from "./tables.ts";
import { takeBackTables } from "./take-back.ts";
import { fireTick } from "./ticks.ts";

/** A rehearsal under way. */
export interface Rehearsal {
  readonly estate: Estate;
  readonly succession: Succession;
  readonly steps: Steps;
  /** The customer whose journeys meet both versions. */
  readonly walker: { readonly uid: string; readonly key: string };
  readonly load: Load;
}

/** The requests that a phase waits for, of the version that serves all. */
const REQUESTS = 80;
/** The share of N at first, and how many requests of N that phase waits for. */
const SHARE = 0.05;
const SHARED_REQUESTS = 8;
/** How long a phase may take on a machine that does everything at once. */
const PHASE_MS = 120_000;

/** Deploys N-1: its tables with the sample's rows, and its functions. */
export async function releaseBefore(estate: Estate, { before, released }: Succession, steps: Steps): Promise<Running> {
  let running: Running | undefined;
  await steps.take(`deploy N-1, ${before.title}`, async () => {
    if (released) await takeBackTables(estate.bigquery, released, v.parse(DefinedTables, definedTables).tables);
    running = await estate.run("N-1", before.program);
    return [{ what: "functions of N-1", found: Object.keys(running.ports).length, least: 2 }];
  });
  if (!running) throw new Error("N-1 was not started");
  return running;
}

/** Migrates the tables under N-1, which serves all requests before, meanwhile and afterwards. */
export async function migrateTables({ estate, succession, steps }: Rehearsal, before: Running): Promise<void> {
  const { migrations, columns, values, after } = succession;
  await steps.take("use N-1", () => usePhase({ estate }, before));
  await steps.take("migrate", async () => {
    const old = await standOf(estate.bigquery);
    await migrate(estate.bigquery, after.root);
    for (const sql of values) await estate.bigquery.query(sql);
    return migrationProofs(old, await standOf(estate.bigquery), { migrations, columns });
  });
  await steps.take("use N-1 on the new tables", () => usePhase({ estate }, before));
}

/** Starts N beside N-1 and tries it at its own address, as the smoke test does at a tag, before it gets traffic. */
export async function deployNext({ estate, succession, steps, walker }: Rehearsal): Promise<Running> {
  let running: Running | undefined;
  await steps.take(`deploy N, ${succession.after.title}, without traffic`, async () => {
    running = await estate.run("N", succession.after.program, { ARRIVAL_HOUR: "0" });
    const client = clientOf(walker, basesOf(running));
    for (const path of ["/openapi.json", "/users/me", "/admin/maps"]) await client.send({ api: "users", path }, 200, Any);
    for (const path of ["/openapi.json", "/data-agg/jobs", "/countries"]) await client.send({ api: "data", path }, 200, Any);
    return [
      { what: "functions of N", found: Object.keys(running.ports).length, least: 2 },
      { what: "endpoints tried", found: 6, least: 6 },
    ];
  });
  if (!running) throw new Error("N was not started");
  return running;
}

/** Switches the workers to N, gives it a share of the requests, then all. */
export async function shiftTraffic(rehearsal: Rehearsal, before: Running, next: Running): Promise<void> {
  const { estate, steps, succession } = rehearsal;
  const { front } = estate;
  await steps.take(`N works and answers ${SHARE * 100} %`, async () => {
    front.switchWorkers("N");
    front.shift(SHARE);
    const seen = await phase(estate, (passed) => answeredBy(passed, "N").requests >= SHARED_REQUESTS);
    const split = splitProofs(seen(), SHARE);
    return [...split, await fireTick(estate, next)];
  });
  await steps.take("journeys from N-1 to N", () => meetBoth(rehearsal, before, next, "N"));
  await steps.take("N answers 100 %", async () => {
    front.shift(1);
    return usePhase(rehearsal, next);
  });
  const { newMeasure } = succession;
  if (newMeasure === undefined) return;
  await steps.take(`a preview of the new measure ${newMeasure}`, async () => {
    const call = { api: "data", path: previewOf(newMeasure) } as const;
    const { results } = await clientOf(rehearsal.walker, basesOf(next)).send(call, 200, Rows);
    // The former release does not know it, and says so.
    await clientOf(rehearsal.walker, basesOf(before)).send(call, 400, Any);
    return [{ what: "rows with a value of it", found: results.filter((row) => Number(row[newMeasure]) > 0).length, least: 1 }];
  });
}

const Rows = v.object({ results: v.array(v.record(v.string(), v.unknown())) });

/** Shifts everything back to N-1, whose code finds the tables and documents of N. */
export async function rollBack(rehearsal: Rehearsal, before: Running, next: Running): Promise<void> {
  const { estate, steps, succession } = rehearsal;
  const { front } = estate;
  await steps.take("roll back to N-1", async () => {
    front.shift(0);
    front.switchWorkers("N-1");
    const proofs = await usePhase(rehearsal, before);
    const { ledger } = await standOf(estate.bigquery);
    return [...proofs, { what: "rows that stay in the ledger of migrations", found: ledger, least: succession.migrations }];
  });
  await steps.take("journeys from N to N-1", () => meetBoth(rehearsal, next, before, "N-1"));
}

/** Waits until a version has answered enough requests, and no other has, and fires a tick at it. Returns the proofs. */
export async function usePhase({ estate }: Pick<Rehearsal, "estate">, running: Running): Promise<Proof[]> {
  const { version } = running;
  const seen = await phase(estate, (passed) => answeredBy(passed, version).requests >= REQUESTS);
  return [...wholeProofs(seen(), version, REQUESTS), await fireTick(estate, running)];
}

/** Walks the journeys that begin at one version and go on at the other, which also works the jobs. */
async function meetBoth({ estate, walker }: Rehearsal, one: Running, other: Running, working: Version): Promise<readonly Proof[]> {
  const from = estate.front.passed().length;
  const both = { one: clientOf(walker, basesOf(one)), other: clientOf(walker, basesOf(other)) };
  const { journeys, jobs } = await walkJourneys(both, `from-${one.version.toLowerCase()}`);
  const worked = workedProofs(estate.front.passed().slice(from), jobs, working);
  return [{ what: "journeys that met both versions", found: journeys, least: 4 }, ...worked];
}

/**
 * Waits until the requests from now on are enough. Requests that were under way are answered first. Returns what was passed on since then. Throws
 * an Error if they do not become enough.
 */
async function phase(estate: Estate, isEnough: (passed: readonly Passed[]) => boolean): Promise<() => readonly Passed[]> {
  await estate.front.settled();
  const from = estate.front.passed().length;
  const seen = (): readonly Passed[] => estate.front.passed().slice(from);
  const until = Date.now() + PHASE_MS;
  while (!isEnough(seen())) {
    if (Date.now() > until) throw new Failed(`Too few requests after ${PHASE_MS / 1000} s: ${seen().length}`);
    await delay(20);
  }
  return seen;
}

function basesOf({ ports }: Running) {
  return { users: `http://127.0.0.1:${ports.users}`, data: `http://127.0.0.1:${ports.data}` };
}
