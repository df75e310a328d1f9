import type { Bound, Interval } from "./bounds.ts";
import type { AttackedSet } from "./level-attack.ts";

/** How stays of a told row are published. */
export interface StaysRules {
  readonly k: number;
  /** Published stays are multiples of it. */
  readonly step: number;
  /**
   * Whether stays that differ from the row's devices, or from the devices that stayed, by fewer than k are published as these, and none of rows
   * that tell of fewer than 2k - 1 devices.
   */
  readonly snaps: boolean;
}

/** A told row of the finest level: what an attacker concluded of it, its published stays, and the truth. */
export interface StaysRow {
  readonly bound: Bound;
  readonly staysDevices: number;
  readonly staysCount: number;
  readonly truth: { readonly devices: number; readonly staysDevices: number; readonly staysCount: number };
}

/** The sets of the attack: the devices that did not stay, the stays after each device's first, and the devices that stayed. */
export const STAYS_SETS = ["devices less stays_devices", "stays_count less stays_devices", "stays_devices"] as const;
type Ranges = Readonly<Record<(typeof STAYS_SETS)[number], Interval>>;

/** Attacks the stays of rows by trying all devices, devices that stayed and stays that are published as these numbers. */
export function attackStays(rows: readonly StaysRow[], rules: StaysRules): Readonly<Record<(typeof STAYS_SETS)[number], AttackedSet[]>> {
  // Few combinations of published numbers are different.
  const known = new Map<string, Ranges>();
  const found = rows.map(({ bound, staysDevices, staysCount, truth }) => {
    const key = [bound.told.least, bound.told.most, bound.hidden, staysDevices, staysCount].join(" ");
    const ranges = known.get(key) ?? possibleStays(bound, staysDevices, staysCount, rules);
    known.set(key, ranges);
    return {
      "devices less stays_devices": { ...ranges["devices less stays_devices"], devices: truth.devices - truth.staysDevices },
      "stays_count less stays_devices": { ...ranges["stays_count less stays_devices"], devices: truth.staysCount - truth.staysDevices },
      stays_devices: { ...ranges.stays_devices, devices: truth.staysDevices },
    };
  });
  return {
    "devices less stays_devices": found.map((sets) => sets["devices less stays_devices"]),
    "stays_count less stays_devices": found.map((sets) => sets["stays_count less stays_devices"]),
    stays_devices: found.map((sets) => sets.stays_devices),
  };
}

function possibleStays({ told, hidden }: Bound, staysDevices: number, staysCount: number, rules: StaysRules): Ranges {
  const { k, snaps } = rules;
  const [complement, second, stayed] = [new Range(), new Range(), new Range()];
  for (let tells = told.least; tells <= told.most; tells++)
    for (let devices = tells; devices <= tells + hidden; devices++)
      for (const stay of nearby(staysDevices, 0, devices, rules)) {
        const isWithheld = stay < k || (snaps && tells < 2 * k - 1);
        const tellsStayed = isWithheld ? 0 : snaps && tells - stay < k ? tells : stay;
        if (nearest(tellsStayed, rules) !== staysDevices) continue;
        const stays = secondStays(stay, tellsStayed, staysCount, rules);
        if (!stays.isPossible) continue;
        complement.add(devices - stay);
        second.add(stays.least);
        second.add(stays.most);
        stayed.add(stay);
      }
  return { "devices less stays_devices": complement, "stays_count less stays_devices": second, stays_devices: stayed };
}

/** Returns the stays after the first that are possible where so many devices stayed, of which so many are told. */
function secondStays(stay: number, tellsStayed: number, staysCount: number, rules: StaysRules): Range {
  const { k, snaps } = rules;
  const found = new Range();
  if (tellsStayed === 0 && staysCount === 0) found.add(0).add(Number.POSITIVE_INFINITY);
  if (tellsStayed > 0)
    for (const count of nearby(Math.max(tellsStayed, staysCount), stay, Number.POSITIVE_INFINITY, rules))
      if (nearest(snaps && count - tellsStayed < k ? tellsStayed : count, rules) === staysCount) found.add(count - stay);
  return found;
}

/** Every value between two that can be published as a number: fewer than k are published as 0, and others as values nearer than two k. */
function* nearby(number: number, least: number, most: number, { k }: StaysRules): Generator<number> {
  for (let value = Math.max(least, number === 0 ? 0 : number - 2 * k); value <= Math.min(most, number + 2 * k); value++) yield value;
}

function nearest(value: number, { step }: StaysRules): number {
  return Math.floor((2 * value + step) / (2 * step)) * step;
}

/** The least and the most of the values that were added. */
class Range implements Interval {
  least = Number.POSITIVE_INFINITY;
  most = Number.NEGATIVE_INFINITY;

  get isPossible(): boolean {
    return this.least <= this.most;
  }

  add(value: number): this {
    this.least = Math.min(this.least, value);
    this.most = Math.max(this.most, value);
    return this;
  }
}
