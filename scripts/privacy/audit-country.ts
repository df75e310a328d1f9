import type { Target } from "../import/target.ts";
import { hasHours } from "./area-rules.ts";
import { attackPairs } from "./attacks/pairs.ts";
import { attackLinks } from "./attacks/road-links.ts";
import { attackCorrection } from "./attacks/versions.ts";
import { attackShare } from "./attacks/withheld-share.ts";
import { auditDay, countsOf, type Findings } from "./audit-day.ts";
import { auditFlow } from "./audit-flow.ts";
import { tickSets } from "./audit-ticks.ts";
import type { ActivityDay, ActivityValues, Country, RawActivity, WithheldShare } from "./dataset.ts";
import { drawn } from "./drawn.ts";
import { LEVEL_TYPES } from "./places.ts";
import { readPairs, readPublishedDay, readRawDay, readRawPairs, readShares } from "./read-dataset.ts";
import type { Solver } from "./solver.ts";
import type { Pairing } from "./utility.ts";
import { type Attacked, type Finding, scoreSets } from "./verdicts.ts";

/** What an audit of a country and day found. */
export interface CountryAudit {
  readonly findings: Findings;
  /** Rows of Activities that are not as the rule publishes what was delivered; undefined without the truth. */
  readonly unexplained: number | undefined;
  /** Delivered and published numbers; empty without the truth. */
  readonly pairings: readonly Pairing[];
  /** What was delivered of Activities; undefined without the truth. */
  readonly raw: ActivityDay<RawActivity> | undefined;
}

const CORRECTIONS = 100;

/** Reads what is published of a country and day, and what was delivered if `hasTruth`, and attacks it. */
export async function auditCountry(
  target: Target,
  country: Country,
  date: string,
  hasTruth: boolean,
  solver: Solver | undefined,
): Promise<CountryAudit> {
  const { code, activities: rules, pairs: pairRules } = country;
  const at = { country: code, date };
  const published = await readPublishedDay(target, at);
  const raw = hasTruth ? await readRawDay(target, at) : undefined;
  const day = auditDay(country, published, raw, solver);
  const pairs = await readPairs(target, at);
  const rawPairs = hasTruth ? await readRawPairs(target, at) : undefined;
  const ofPairs = attackPairs(country, pairs, rawPairs);
  const ofLinks = attackLinks(country, pairs, rawPairs);
  const score = (sets: Iterable<Attacked>, { k } = rules): Finding => scoreSets(sets, k);
  const flow = await auditFlow(target, country, at, hasTruth);
  const ticks = await tickSets(target, country, published, raw);
  const findings = new Map([
    ...day.findings,
    ["hour less tick", score(ticks.hours)],
    ["day less tick", score(ticks.days)],
    ["links of a road class", score(flow.sets)],
    ["two versions (drawn corrections)", score(raw ? corrections(country, raw) : [])],
    ["trips of pairs less their parts", score(ofPairs.trips, pairRules)],
    ["speed of pairs less their parts", score(ofPairs.speeds, pairRules)],
    ["distance of pairs", score(ofPairs.distances, pairRules)],
    ["trips of a road link", score(ofLinks.pairs, pairRules)],
    ["trips of a cell's road links together", score(ofLinks.together, pairRules)],
    ["withheld share", score(shareSets(country, published, await readShares(target, at)))],
  ]);
  const pairings = [
    ...(raw ? activityPairings(country, published, raw) : []),
    ...(rawPairs ? pairPairings(country, pairs, rawPairs) : []),
    ...flow.pairings,
  ];
  return { findings, unexplained: day.unexplained, pairings, raw };
}

/** Corrections by 1 to k - 1 devices of rows drawn from the first hour, each on its own. */
function corrections({ places, activities: rules }: Country, raw: ActivityDay<RawActivity>): Attacked[] {
  const [rows] = raw.hours.values();
  if (!rows) return [];
  const counts = countsOf(rows);
  const finest = [...counts.keys()].filter((id) => places.get(id)?.level === rules.finestLevel);
  const random = drawn(1);
  return Array.from({ length: finest.length === 0 ? 0 : CORRECTIONS }, () => {
    const id = finest[Math.floor(random() * finest.length)] ?? "";
    const devices = (1 + Math.floor(random() * (rules.k - 1))) * (random() < 0.5 ? -1 : 1);
    return attackCorrection(places, rules, counts, { id, devices });
  });
}

function shareSets(
  { places, activities: rules }: Country,
  published: ActivityDay<ActivityValues>,
  shares: readonly WithheldShare[],
): Attacked[] {
  return shares.flatMap((share) => {
    const level = LEVEL_TYPES.indexOf(share.geoType);
    const isDay = share.table === "activities_daily";
    if (level < 0 || !share.table.startsWith("activities_")) return [];
    const buckets = isDay ? [published.day] : [...published.hours.values()];
    const own = buckets.flatMap((rows) => [...rows].filter(([id]) => places.get(id)?.level === level));
    const people = own.reduce((sum, [, row]) => sum + row.people, 0);
    const geographies = [...places.values()].filter((place) => place.level === level).length;
    return [attackShare(share, people, geographies * buckets.length, undefined, rules)];
  });
}

function activityPairings(
  { places, activities: rules }: Country,
  published: ActivityDay<ActivityValues>,
  raw: ActivityDay<RawActivity>,
): Pairing[] {
  const withHours = (rows: ReadonlyMap<string, RawActivity>): ReadonlyMap<string, RawActivity> =>
    new Map([...rows].filter(([id]) => hasHours(places.get(id)?.level, rules)));
  const pairingsOf = (
    bucket: string,
    told: ReadonlyMap<string, ActivityValues> | undefined,
    rows: ReadonlyMap<string, RawActivity>,
  ): Pairing[] =>
    [...rows].map(([id, { people }]) => {
      const level = LEVEL_TYPES[Number(id.split("/")[0])] ?? "";
      return { product: "activities", level: `${level}, ${bucket}`, delivered: people, published: told?.get(id)?.people };
    });
  return [
    ...[...raw.hours].flatMap(([hour, rows]) => pairingsOf("hour", published.hours.get(hour), withHours(rows))),
    ...pairingsOf("day", published.day, raw.day),
  ];
}

function pairPairings(
  { pairs: rules }: Country,
  pairs: Parameters<typeof attackPairs>[1],
  raw: NonNullable<Parameters<typeof attackPairs>[2]>,
): Pairing[] {
  if (!rules) return [];
  const key = (pair: Omit<(typeof pairs)[number], "trips" | "speed" | "distance">): string =>
    `${pair.originType}/${pair.originId}>${pair.destinationType}/${pair.destinationId}`;
  const told = new Map(pairs.map((pair) => [key(pair), pair.trips]));
  return raw.map((pair) => ({
    product: "odm",
    level: `${pair.originType} to ${pair.destinationType}`,
    delivered: pair.trips,
    published: told.get(key(pair)),
  }));
}
