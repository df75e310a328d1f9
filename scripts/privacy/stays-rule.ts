import { type AreaRules, deviceStepOf, nearest } from "./area-rules.ts";

/** The stays of a row: the devices that stayed, their stays (one each at least), and their minutes. */
export interface Stays {
  readonly devices: number;
  readonly count: number;
  readonly minutes: number;
}

const NONE: Stays = { devices: 0, count: 0, minutes: 0 };
/** Dwell minutes are published stays times their mean to this many minutes. */
const MINUTES = 5;

/**
 * Publishes the stays of a row of the finest level by rule 11 of `infra/warehouse/privacy.md`.
 * @param told n' of the row
 */
export function publishStays(told: number, stays: Stays, rules: AreaRules): Stays {
  const { k, isProtected, broken } = rules;
  if (isProtected) return told >= k ? stays : NONE;
  // Of fewer, one of the two parts has always fewer than k devices, and telling the other would tell that it is not empty.
  if (told < 2 * k - 1 || stays.devices < k) return NONE;
  const snaps = !broken?.has("staysNotSnapped");
  const stayed = snaps && told - stays.devices < k ? told : stays.devices;
  const counted = snaps && stays.count - stayed < k ? stayed : stays.count;
  const step = deviceStepOf(rules);
  const devices = nearest(stayed, step);
  const mean = MINUTES * Math.floor((2 * stays.minutes + MINUTES * stays.devices) / (2 * MINUTES * stays.devices));
  return { devices, count: nearest(counted, step), minutes: devices * mean };
}
