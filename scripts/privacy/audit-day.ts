import { type Counts, type DecidedRows, publishDay, publishHour } from "./area-rule.ts";
import { type AreaRules, hasHours } from "./area-rules.ts";
import { attackDay, attackWithheldHours } from "./attacks/hours.ts";
import { attackLevels, type Bucket, LEVEL_SETS, type LevelTarget } from "./attacks/levels.ts";
import { attackOverlaps } from "./attacks/overlaps.ts";
import { openStaysAttack, type StaysAttacked } from "./attacks/stays.ts";
import { boundsOf, hoursOf, partsOf } from "./bounds.ts";
import type { ActivityDay, ActivityValues, Country, RawActivity } from "./dataset.ts";
import type { Solver } from "./solver.ts";
import { publishStays } from "./stays-rule.ts";
import { type Attacked, type Finding, scoreSets } from "./verdicts.ts";
import { type DecidedDay, worldsOfDay } from "./worlds-of-day.ts";

/** The findings of attacks, by the attack's name. */
export type Findings = ReadonlyMap<string, Finding>;

/** What an audit of a day found. */
export interface DayAudit {
  readonly findings: Findings;
  /** Rows that are not as the rule publishes what was delivered; undefined without the truth. */
  readonly unexplained: number | undefined;
}

/** The attacks on a bucket that are not on levels. */
type BucketSets = Readonly<Record<"overlaps" | "complement" | "second" | "few", readonly Attacked[]>>;

/**
 * Attacks a day of Activities, hour by hour and as a day.
 * @param published what an attacker has
 * @param raw what was delivered, to score him by
 * @param solver for the sets of levels that intervals leave open; left out, these stay open
 */
export function auditDay(
  country: Country,
  published: ActivityDay<ActivityValues>,
  raw: ActivityDay<RawActivity> | undefined,
  solver: Solver | undefined,
): DayAudit {
  const { places, activities: rules } = country;
  const parts = partsOf(places);
  const decided = raw && decidedDay(country, raw);
  const worlds = decided && worldsOfDay(country, parts, decided);
  const hours = [...published.hours].map(([hour, rows]) => {
    const ofRule = decided?.hours.get(hour);
    const bounds = boundsOf(places, parts, rules, numbersOf(rows));
    const bucket: Bucket = { places, rules, bounds, truth: ofRule?.truth, worlds: worlds?.hours.get(hour) ?? [] };
    return { rows, raw: raw?.hours.get(hour), rowsOfRule: ofRule?.decided, bucket };
  });
  const bounds = boundsOf(places, parts, rules, numbersOf(published.day), hoursOf(hours.map(({ bucket }) => bucket.bounds)));
  const day: Bucket = { places, rules, bounds, truth: decided?.truth, worlds: worlds?.day ?? [] };
  const sets = hours.map((hour) => bucketSets(hour.bucket, hour.rows, hour.raw, rules));
  const daySets = bucketSets(day, published.day, raw?.day, rules);
  const levels = hours.flatMap(({ bucket }) => attackLevels(bucket).map((target) => refined(target, bucket, solver)));
  const dayLevels = attackLevels(day).map((target) => refined(target, day, solver));
  const score = (all: Iterable<Attacked>): Finding => scoreSets(all, rules.k);
  const findings = new Map<string, Finding>();
  for (const [bucket, targets] of [
    ["hour", levels],
    ["day", dayLevels],
  ] as const)
    for (const kind of LEVEL_SETS) findings.set(`${kind}, ${bucket}`, score(targets.filter((target) => target.kind === kind)));
  findings.set("overlaps, hour", score(sets.flatMap(({ overlaps }) => overlaps)));
  findings.set("overlaps, day", score(daySets.overlaps));
  const buckets = hours.map(({ bucket }) => bucket);
  findings.set("day less hour", score(attackDay(day, buckets)));
  findings.set("withheld hours of a day", score(attackWithheldHours(day, buckets)));
  for (const [name, kind] of [
    ["devices less stays_devices", "complement"],
    ["stays_count less stays_devices", "second"],
    ["few who stayed", "few"],
  ] as const)
    findings.set(name, score([...sets.flatMap((one) => one[kind]), ...daySets[kind]]));
  const unexplained =
    raw &&
    hours.reduce((sum, hour) => sum + differing(country, hour.rows, hour.rowsOfRule, hour.raw, true), 0) +
      differing(country, published.day, decided?.decided, raw.day, false);
  return { findings, unexplained };
}

/** Returns the counts of delivered rows. */
export function countsOf(rows: ReadonlyMap<string, RawActivity>): Counts {
  return new Map([...rows].map(([id, { devices, people }]) => [id, { devices, people }]));
}

function numbersOf(rows: ReadonlyMap<string, ActivityValues>): ReadonlyMap<string, number> {
  return new Map([...rows].map(([id, { people }]) => [id, people]));
}

function decidedDay({ places, activities: rules }: Country, raw: ActivityDay<RawActivity>): DecidedDay {
  const hours = new Map(
    [...raw.hours].map(([hour, rows]) => {
      const truth = countsOf(rows);
      return [hour, { truth, decided: publishHour(places, rules, truth) }];
    }),
  );
  const truth = countsOf(raw.day);
  const decidedHours = [...hours.values()].map(({ decided }) => decided);
  return { hours, truth, decided: publishDay(places, rules, truth, decidedHours) };
}

function bucketSets(
  { bounds, places, truth }: Bucket,
  rows: ReadonlyMap<string, ActivityValues>,
  raw: ReadonlyMap<string, RawActivity> | undefined,
  rules: AreaRules,
): BucketSets {
  const attack = openStaysAttack(rules);
  const stays: StaysAttacked[] = [];
  for (const [id, { staysDevices, staysCount }] of rows) {
    const bound = bounds.get(id);
    if (bound && places.get(id)?.level === rules.finestLevel) stays.push(attack({ bound, staysDevices, staysCount, truth: raw?.get(id) }));
  }
  return {
    overlaps: attackOverlaps(bounds, rules, truth),
    complement: stays.map(({ complement }) => complement),
    second: stays.map(({ second }) => second),
    few: stays.map(({ few }) => few),
  };
}

/** Asks the solver for a set that intervals neither show nor a world refutes. */
function refined(target: LevelTarget, { bounds, rules }: Bucket, solver: Solver | undefined): LevelTarget {
  const isOpen =
    target.min === 0 && !target.isRefuted && (target.devices === undefined || (target.devices >= 1 && target.devices < rules.k));
  const range = isOpen ? solver?.range(bounds, rules, target.of, target.rows, target.less) : undefined;
  return range ? { ...target, min: Math.max(target.min, range.min), max: Math.min(target.max, range.max) } : target;
}

/** Counts the rows that are not as the rule publishes them: people of all levels, stays of the finest. A day's minutes are those of its hours. */
function differing(
  { places, activities: rules }: Country,
  rows: ReadonlyMap<string, ActivityValues>,
  expected: DecidedRows | undefined,
  raw: ReadonlyMap<string, RawActivity> | undefined,
  isHour: boolean,
): number {
  const ids = new Set([...rows.keys(), ...(expected?.keys() ?? [])]);
  return [...ids].filter((id) => {
    const [row, decided, delivered] = [rows.get(id), expected?.get(id), raw?.get(id)];
    const isSeen = !isHour || hasHours(places.get(id)?.level, rules);
    if ((row?.people ?? 0) !== (isSeen ? (decided?.number ?? 0) : 0)) return true;
    if (!row || !decided || !delivered || places.get(id)?.level !== rules.finestLevel) return false;
    const stays = { devices: delivered.staysDevices, count: delivered.staysCount, minutes: delivered.staysMinutes };
    const { devices, count, minutes } = publishStays(decided.told, stays, rules);
    return row.staysDevices !== devices || row.staysCount !== count || (isHour && row.staysMinutes !== minutes);
  }).length;
}
