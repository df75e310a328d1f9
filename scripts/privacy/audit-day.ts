import { type Counts, type DecidedRows, publishDay, publishHour } from "./area-rule.ts";
import { hasHours } from "./area-rules.ts";
import { attackDay, attackWithheldHours } from "./attacks/hours.ts";
import { attackLevels, type Bucket, LEVEL_SETS, type LevelTarget } from "./attacks/levels.ts";
import { attackOverlaps } from "./attacks/overlaps.ts";
import { auditStays, type StaysBucket, staysByRule } from "./audit-stays.ts";
import { boundsOf, hoursOf, partsOf } from "./bounds.ts";
import type { ActivityDay, ActivityValues, Country, RawActivity } from "./dataset.ts";
import type { Solver } from "./solver.ts";
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
  const stays = attackStays(
    country,
    hours.map(({ rows, raw: delivered, rowsOfRule, bucket }) => ({ rows, raw: delivered, rowsOfRule, bounds: bucket.bounds })),
    { rows: published.day, bounds, raw: raw?.day },
  );
  const levels = hours.flatMap(({ bucket }) => attackLevels(bucket).map((target) => refined(target, bucket, solver)));
  const dayLevels = attackLevels(day).map((target) => refined(target, day, solver));
  const score = (all: Iterable<Attacked>): Finding => scoreSets(all, rules.k);
  const findings = new Map<string, Finding>();
  for (const [bucket, targets] of [
    ["hour", levels],
    ["day", dayLevels],
  ] as const)
    for (const kind of LEVEL_SETS) findings.set(`${kind}, ${bucket}`, score(targets.filter((target) => target.kind === kind)));
  findings.set("overlaps, hour", score(hours.flatMap(({ bucket }) => attackOverlaps(bucket.bounds, rules, bucket.truth))));
  findings.set("overlaps, day", score(attackOverlaps(bounds, rules, day.truth)));
  const buckets = hours.map(({ bucket }) => bucket);
  findings.set("day less hour", score(attackDay(day, buckets)));
  findings.set("withheld hours of a day", score(attackWithheldHours(day, buckets)));
  for (const [name, kind] of [
    ["devices less stays_devices", "complement"],
    ["stays_count less stays_devices", "second"],
    ["few who stayed", "few"],
    ["stayed at other hours of the day", "otherHours"],
  ] as const)
    findings.set(name, score(stays[kind]));
  const none: DeliveredRows = { raw: new Map(), decided: new Map() };
  const delivered = hours.map((hour) => ({
    ...none,
    ...(hour.raw && { raw: hour.raw }),
    ...(hour.rowsOfRule && { decided: hour.rowsOfRule }),
  }));
  const unexplained =
    raw &&
    hours.reduce((sum, hour, index) => sum + differing(country, hour.rows, delivered[index] ?? none), 0) +
      differing(country, published.day, { raw: raw.day, decided: decided?.decided ?? none.decided }, delivered);
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

/**
 * Attacks the stays of a day. In a strict country nobody sees the hours of the finest type, on which a day's stays depend. The attacker is given
 * them: all that is published follows from them, so that whoever knows less concludes less. Without the truth there is nothing to give.
 */
function attackStays(
  country: Country,
  hours: readonly (StaysBucket & { readonly rowsOfRule: DecidedRows | undefined })[],
  day: StaysBucket,
): ReturnType<typeof auditStays> {
  const { places, activities: rules } = country;
  if (!rules.isStrict) return auditStays(country, hours, day);
  const parts = partsOf(places);
  const given = hours.flatMap(({ rows, raw, rowsOfRule: decided }) => {
    if (!raw || !decided) return [];
    const unseen = [...decided].flatMap(([id, { told, number }]) => {
      if (told === 0 || hasHours(places.get(id)?.level, rules)) return [];
      const { devices: staysDevices, count: staysCount, minutes: staysMinutes } = staysByRule(country, id, { raw, decided });
      return [[id, { people: number, staysDevices, staysCount, staysMinutes }] as const];
    });
    const all = new Map([...rows, ...unseen]);
    return [{ rows: all, bounds: boundsOf(places, parts, rules, numbersOf(all)), raw }];
  });
  const bounds = boundsOf(places, parts, rules, numbersOf(day.rows), hoursOf(given.map((hour) => hour.bounds)));
  return auditStays(country, given, { ...day, bounds, rows: day.raw ? day.rows : new Map() });
}

/** Asks the solver for a set that intervals neither show nor a world refutes. */
function refined(target: LevelTarget, { bounds, rules }: Bucket, solver: Solver | undefined): LevelTarget {
  const isOpen =
    target.min === 0 && !target.isRefuted && (target.devices === undefined || (target.devices >= 1 && target.devices < rules.k));
  const range = isOpen ? solver?.range(bounds, rules, target.of, target.rows, target.less) : undefined;
  return range ? { ...target, min: Math.max(target.min, range.min), max: Math.min(target.max, range.max) } : target;
}

/** Rows as they were delivered, and as the rule decides them. */
interface DeliveredRows {
  readonly raw: ReadonlyMap<string, RawActivity>;
  readonly decided: DecidedRows;
}

/**
 * Counts the rows that are not as the rule publishes them: people of all levels, stays of the finest. A day's minutes are those of its hours.
 * @param hours of the day, if the rows are a day's
 */
function differing(
  country: Country,
  rows: ReadonlyMap<string, ActivityValues>,
  delivered: DeliveredRows,
  hours?: readonly DeliveredRows[],
): number {
  const { places, activities: rules } = country;
  const { raw, decided } = delivered;
  return [...new Set([...rows.keys(), ...decided.keys()])].filter((id) => {
    const [row, level] = [rows.get(id), places.get(id)?.level];
    const isSeen = hours !== undefined || hasHours(level, rules);
    if ((row?.people ?? 0) !== (isSeen ? (decided.get(id)?.number ?? 0) : 0)) return true;
    if (!row || !decided.has(id) || !raw.has(id) || level !== rules.finestLevel) return false;
    const { devices, count, minutes } = staysByRule(country, id, delivered, hours);
    return row.staysDevices !== devices || row.staysCount !== count || (!hours && row.staysMinutes !== minutes);
  }).length;
}
