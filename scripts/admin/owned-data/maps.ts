import { openWarehouse } from "../../../shared/google/bigquery.ts";
import { ServiceError } from "../../../shared/http/errors.ts";
import { countShape, deliverMapChange, tryDeliverMapChange } from "../../../shared/realtime/deliver-map-change.ts";
import { openMonitoring } from "../../../shared/realtime/monitoring.ts";
import type { Session } from "../session.ts";

/** Removes a customer's maps and publishes the end of their monitoring to the warehouse. Returns how many it removed. */
export async function removeMaps({ config, db, countries, now }: Session, uid: string): Promise<number> {
  const { maps, ...uses } = openMonitoring(config);
  const owned = await maps.list(uid);
  for (const { id } of owned) await maps.remove({ uid, id, actor: "service", now: now() });
  // Includes pending changes of an earlier run and of the service.
  const pending = await db.collection("mapChanges").where("uid", "==", uid).select().get();
  for (const { id } of pending.docs) await deliverMapChange(id, { ...uses, getMap: maps.get, countries, now });
  return owned.length;
}

/**
 * Republishes a customer's monitored maps to the warehouse, clipped to the customer's current countries. Returns how many there are.
 * If a change cannot be delivered now, the sweeper delivers it.
 */
export async function measureAgain({ config, countries, now, note }: Session, uid: string): Promise<number> {
  const { maps, ...uses } = openMonitoring(config);
  const ids = await maps.monitoredIds(uid);
  const context = { ...uses, getMap: maps.get, countries, now, warehouse: openWarehouse(config) };
  for (const id of ids) {
    const map = await maps.get(id);
    const counted = map && (await countShape(uid, map, "/geometry", context).catch(unlessTooLarge));
    await maps.update({ uid, id, actor: "service", now: now(), counted }, (present) => present);
    await tryDeliverMapChange(id, context, (_severity, message) => note(message));
  }
  return ids.length;
}

/** A map that has too many cells in the customer's countries is delivered without any. */
function unlessTooLarge(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code !== "invalid_argument") throw error;
}
