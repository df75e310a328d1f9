import { deliverMapChange, tryDeliverMapChange } from "../../../shared/realtime/deliver-map-change.ts";
import { openMonitoring } from "../../../shared/realtime/monitoring.ts";
import type { Session } from "../session.ts";

/** Removes a customer's maps, and tells the warehouse that those that were monitored are no more. Gives how many there were. */
export async function removeMaps({ config, db, countries, now }: Session, uid: string): Promise<number> {
  const { maps, ...uses } = openMonitoring(config);
  const owned = await maps.list(uid);
  for (const { id } of owned) await maps.remove(uid, id, now());
  // Also what an earlier run, or the service itself, still owes the warehouse.
  const owed = await db.collection("mapChanges").where("uid", "==", uid).select().get();
  for (const { id } of owed.docs) await deliverMapChange(id, { ...uses, getMap: maps.get, countries, now });
  return owned.length;
}

/**
 * Makes the warehouse measure a customer's monitored maps anew, within the countries that it has now: a polygon reaches as far as these.
 * Gives how many there are. Where the warehouse cannot be told now, the sweeper tells it.
 */
export async function measureAgain({ config, countries, now, note }: Session, uid: string): Promise<number> {
  const { maps, ...uses } = openMonitoring(config);
  const ids = await maps.monitoredIds(uid);
  for (const id of ids) {
    await maps.update(uid, id, (map) => map, now());
    await tryDeliverMapChange(id, { ...uses, getMap: maps.get, countries, now }, (_severity, message) => note(message));
  }
  return ids.length;
}
