import * as v from "valibot";
import { StoredTime } from "../google/firestore.ts";

const DAY_MS = 86_400_000;
/** How long no new network must have appeared until one is worth a look. Clients that move daily never get there. */
const QUIET_MS = 30 * DAY_MS;
/** How many networks a key remembers, and for how long after their last use. */
const NETWORKS_MAX = 10;
const KEPT_MS = 90 * DAY_MS;

/** The networks that a key was used from, the newest first, and when the newest one first appeared. Addresses are not kept here. */
export const KeyNetworks = v.object({
  networks: v.optional(v.array(v.object({ network: v.string(), seenAt: StoredTime })), []),
  newNetworkAt: v.optional(v.nullable(StoredTime), null),
});
export type KeyNetworks = v.InferOutput<typeof KeyNetworks>;

/** Returns whether a key was used from a network before. */
export function isKnown({ networks }: KeyNetworks, network: string): boolean {
  return networks.some((one) => one.network === network);
}

/**
 * Returns a key's networks after a use from one of them. `isUnusual`: the network is new, and the key was used before, but from no new
 * network for 30 days.
 */
export function seenFrom(before: KeyNetworks, network: string, now: Date): { readonly after: KeyNetworks; readonly isUnusual: boolean } {
  const isNew = !isKnown(before, network);
  const others = before.networks.filter((one) => one.network !== network && now.getTime() - one.seenAt.getTime() < KEPT_MS);
  return {
    after: {
      networks: [{ network, seenAt: now }, ...others].slice(0, NETWORKS_MAX),
      newNetworkAt: isNew ? now : before.newNetworkAt,
    },
    isUnusual: isNew && before.newNetworkAt !== null && now.getTime() - before.newNetworkAt.getTime() >= QUIET_MS,
  };
}
