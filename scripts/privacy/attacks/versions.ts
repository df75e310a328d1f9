import { type Counts, type DecidedRows, publishHour } from "../area-rule.ts";
import { type AreaRules, devicesOf, hasHours, peopleOf } from "../area-rules.ts";
import type { Places } from "../places.ts";
import type { Attacked } from "../verdicts.ts";

/** A correction of a row of the finest level: how many devices more or fewer it has. */
export interface Correction {
  readonly id: string;
  readonly devices: number;
}

/**
 * Publishes a bucket before and after a correction, and attacks the change: a number that differs says that something changed. Rows around
 * the corrected one change by the same devices. A row of at least k devices that changes by fewer than k keeps its delivered numbers, as the
 * load has it, and a number stays where the new one is within one step.
 */
export function attackCorrection(places: Places, rules: AreaRules, counts: Counts, { id, devices }: Correction): Attacked {
  const corrected = new Map(counts);
  const place = places.get(id);
  for (const around of place?.around ?? []) {
    if (around === undefined) continue;
    const before = counts.get(around)?.devices ?? 0;
    const after = Math.max(0, before + devices);
    if (before >= rules.k && Math.abs(after - before) < rules.k) continue;
    corrected.set(around, { devices: after, people: peopleOf(after, rules) });
  }
  const seen = (rows: DecidedRows): DecidedRows => new Map([...rows].filter(([id]) => hasHours(places.get(id)?.level, rules)));
  const before = seen(publishHour(places, rules, counts));
  const after = new Map(
    [...seen(publishHour(places, rules, corrected))].map(([id, row]) => [
      id,
      { number: keptWithin(rules.step, before.get(id)?.number, row.number) },
    ]),
  );
  return attackVersions(before, after, rules, Math.abs(devices));
}

/** Returns the number of a corrected row: the one that stands, if the row was told and still is, and the new one is within a step. */
function keptWithin(step: number, standing: number | undefined, fresh: number): number {
  return standing && fresh > 0 && Math.abs(fresh - standing) <= step ? standing : fresh;
}

/** Attacks the devices by which two published versions of a bucket differ. */
export function attackVersions(
  before: ReadonlyMap<string, { readonly number: number }>,
  after: ReadonlyMap<string, { readonly number: number }>,
  rules: AreaRules,
  devices: number | undefined,
): Attacked {
  let [isChanged, max] = [false, Number.POSITIVE_INFINITY];
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(id)?.number ?? 0, after.get(id)?.number ?? 0];
    if (old === now) continue;
    isChanged = true;
    const [a, b] = [old, now].map((number) => (number === 0 ? { min: 0, max: rules.k - 1 } : devicesOf(number, rules, false)));
    if (a && b) max = Math.min(max, Math.max(b.max - a.min, a.max - b.min));
  }
  return { min: isChanged ? 1 : 0, max, devices, isRefuted: !isChanged };
}
