import type { Passed, Version } from "./front.ts";

/** Something that was counted and shows that a step was really taken. */
export interface Proof {
  readonly what: string;
  readonly found: number;
  readonly least: number;
  /** Left out: any number from `least` on. */
  readonly most?: number;
}

/** Returns a line for each proof that a step lacks: it was not taken, or not as it should be. A step that proves nothing was not taken. */
export function missingProofs(step: string, proofs: readonly Proof[]): string[] {
  if (proofs.length === 0) return [`${step}: nothing shows that it was taken`];
  return proofs.flatMap(({ what, found, least, most = Number.POSITIVE_INFINITY }) => {
    if (found >= least && found <= most) return [];
    const wanted = least === most ? `${least}` : most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`;
    return [`${step}: ${what}: ${found}, not ${wanted}`];
  });
}

const APIS = ["users", "data"];

/** Counts the requests to the two APIs that a version has answered, and messages that it has handled. */
export function answeredBy(passed: readonly Passed[], version: Version): { readonly requests: number; readonly messages: number } {
  const own = passed.filter((one) => one.version === version && one.status !== undefined);
  const requests = own.filter(({ entrance }) => APIS.includes(entrance)).length;
  return { requests, messages: own.length - requests };
}

/** The proofs that traffic was split: both versions have answered, N its share, within one request of it or a half of the share. */
export function splitProofs(passed: readonly Passed[], share: number): Proof[] {
  const [before, now] = [answeredBy(passed, "N-1").requests, answeredBy(passed, "N").requests];
  const wanted = (before + now) * share;
  return [
    { what: "requests answered by N-1", found: before, least: 1 },
    { what: "requests answered by N", found: now, least: Math.max(1, Math.floor(wanted / 2)), most: Math.ceil(wanted * 1.5) },
  ];
}

/** The proofs that all traffic goes to one version: it has answered enough, and the other nothing. */
export function wholeProofs(passed: readonly Passed[], version: Version, least: number): Proof[] {
  const other = version === "N" ? "N-1" : "N";
  return [
    { what: `requests answered by ${version}`, found: answeredBy(passed, version).requests, least },
    { what: `requests answered by ${other}`, found: answeredBy(passed, other).requests, least: 0, most: 0 },
  ];
}

/** The proof that each of these jobs was worked by a version, and only by it. */
export function workedProofs(passed: readonly Passed[], jobs: readonly string[], version: Version): Proof[] {
  const workers = jobs.map((job) => new Set(passed.flatMap((one) => (one.jobId === job ? one.version : []))));
  const whole = workers.filter((versions) => versions.size === 1 && versions.has(version)).length;
  return [{ what: `journeys' jobs worked by ${version}`, found: whole, least: Math.max(1, jobs.length), most: Math.max(1, jobs.length) }];
}

/** The tables before and after a migration: how many rows the ledger of migrations has, and which columns there are. */
export interface Migrations {
  readonly ledger: number;
  readonly columns: ReadonlySet<string>;
}

/** The proofs that the migrations between two releases were applied: their rows in the ledger, their columns, and none that was lost. */
export function migrationProofs(
  before: Migrations,
  after: Migrations,
  wanted: { readonly migrations: number; readonly columns: readonly string[] },
): Proof[] {
  const has = wanted.columns.filter((column) => after.columns.has(column) && !before.columns.has(column)).length;
  const lost = [...before.columns].filter((column) => !after.columns.has(column)).length;
  return [
    {
      what: "new rows in the ledger of migrations",
      found: after.ledger - before.ledger,
      least: wanted.migrations,
      most: wanted.migrations,
    },
    { what: "new columns", found: has, least: wanted.columns.length, most: wanted.columns.length },
    { what: "columns kept", found: before.columns.size - lost, least: before.columns.size, most: before.columns.size },
  ];
}

/** The proofs that a database was restored: every document of the backup is in it, and what was damaged was damaged. */
export function restoreProofs(backedUp: number, restored: number, damaged: number): Proof[] {
  return [
    { what: "documents in the backup", found: backedUp, least: 1 },
    { what: "documents deleted by mistake", found: damaged, least: 1 },
    { what: "documents in the restored database", found: restored, least: backedUp, most: backedUp },
  ];
}
