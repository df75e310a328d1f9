import type { Snapshot } from "../../../../../shared/realtime/snapshot.ts";
import { ATTEMPTS_MAX, type TickState } from "../../../../../shared/realtime/tick-state.ts";
import type { World } from "../world.ts";
import type { Cloud } from "./realtime.ts";

export const TICK_MS = 5 * 60_000;
const HOUR_MS = 60 * 60_000;

/** What the invariants look at. */
export interface Scene extends Cloud {
  readonly world: World;
  readonly uids: readonly string[];
  /** The customer whose snapshots cannot be written, if there is one. */
  readonly unserved: string | undefined;
  /** The ticks of which it was said, as an error, that they are given up. */
  readonly abandoned: ReadonlySet<string>;
  /** Between which firings in time others may have been lost. */
  readonly gaps: { readonly from: Date; readonly to: Date }[];
}

/** Nothing is shown of a map that is switched off or deleted, nor what was measured before it was switched on. */
export function checkShown({ world, maps, uids }: Scene): void {
  for (const uid of uids) {
    const tick = maps.snapshots.get(uid)?.tick;
    for (const { targetId } of maps.shown(uid)) {
      const map = maps.get(targetId);
      if (!map?.isMonitored) world.violate("what is switched off is not shown", `${targetId} is shown at ${tick?.toISOString()}`);
      const since = maps.shownSince.get(targetId);
      if (tick && since && tick < since) world.violate("nothing older than the switch is shown", `${targetId} at ${tick.toISOString()}`);
    }
  }
}

/** A snapshot never goes back. */
export function checkReplaced({ world, maps }: Scene, { uid, before }: { readonly uid: string; readonly before: Snapshot }): void {
  const tick = maps.snapshots.get(uid)?.tick;
  if (before.tick && (!tick || tick < before.tick))
    world.violate("no snapshot goes back", `${uid} from ${before.tick.toISOString()} to ${tick?.toISOString()}`);
  if (tick !== before.tick) world.count("snapshots replaced");
}

/** What a tick's document may become, and what has to be there when it says that all is. */
export function checkTick(scene: Scene, after: TickState, before: TickState | undefined): void {
  const { world, ticks, gaps } = scene;
  const name = after.tick.toISOString();
  // One that was lost was touched by nobody.
  if (!before && after.firing && after.touchedAt > after.tick) {
    const earlier = ticks.all().flatMap(({ firing }) => (firing && firing < after.tick ? [firing.getTime()] : []));
    if (earlier.length > 0) gaps.push({ from: new Date(Math.max(...earlier)), to: after.tick });
  }
  if (!before) world.count(after.firing ? "ticks in time" : "ticks late or by hand");
  if (before?.state === "done" && after.state !== "done") world.violate("what is done stays done", name);
  if (before && (after.attempts.statement < before.attempts.statement || after.attempts.copy < before.attempts.copy))
    world.violate("attempts only rise", name);
  if (after.state === before?.state) return;
  world.count(`ticks: ${after.state}`);
  if (after.state === "given up") checkAbandoned(scene, after);
  if (after.state === "done") checkDone(scene, name);
}

function checkAbandoned({ world, abandoned }: Scene, { tick, attempts }: TickState): void {
  const isUsedUp = attempts.statement > ATTEMPTS_MAX || attempts.copy > ATTEMPTS_MAX;
  if (!abandoned.has(tick.toISOString())) world.violate("what is given up is said", tick.toISOString());
  if (!isUsedUp && world.time - tick.getTime() < 24 * HOUR_MS) world.violate("no tick is given up early", tick.toISOString());
}

function checkDone(scene: Scene, tick: string): void {
  const [lack] = lacking(scene, tick);
  if (lack) scene.world.violate("what is done is there", `${tick} ${lack.what}`);
}

/** What of a tick is not there yet; with whose it is. */
function lacking({ realtime, maps }: Scene, tick: string): { readonly what: string; readonly uid?: string }[] {
  const here = realtime.here.get(tick) ?? [];
  const isUnseen = (uid: string): boolean => (maps.snapshots.get(uid)?.tick?.toISOString() ?? "") < tick;
  return [
    ...(realtime.computed.has(tick) ? [] : [{ what: "was not computed" }]),
    ...((realtime.eu.get(tick) ?? []).length === here.length ? [] : [{ what: "is not in eu" }]),
    ...here.flatMap(({ uid }) => (isUnseen(uid) ? [{ what: `is not shown to ${uid}`, uid }] : [])),
  ];
}

/** Whether a tick is owed, and not only for the sake of the customer who cannot be served. */
export function isBehind(scene: Scene, { tick, state }: TickState): boolean {
  const lacks = lacking(scene, tick.toISOString());
  return state === "owed" && (lacks.length === 0 || lacks.some(({ uid }) => uid === undefined || uid !== scene.unserved));
}

/** No change is owed any more, and the warehouse has the newest version that it was ever to have of each map. */
export function checkTold({ world, maps, realtime }: Scene): void {
  for (const { mapId } of maps.owed()) world.violate("no change of monitoring is lost", `${mapId} is still owed`);
  for (const [id, version] of maps.promised) {
    const rows = realtime.versions().filter(({ map_id }) => map_id === id);
    const newest = Math.max(...rows.map((row) => row.version));
    const map = maps.get(id);
    const isMonitored = rows.some((row) => row.version === newest && row.is_monitored);
    if (newest < version) world.violate("no change of monitoring is lost", `${id} is v${newest} in the warehouse, not v${version}`);
    if (isMonitored !== (map?.isMonitored ?? false))
      world.violate("no change of monitoring is lost", `${id} is ${isMonitored} in the warehouse`);
  }
}

/** Every tick is over, none that lay between two firings in time is missing, and the copy has what the table has. */
export function checkTicks(scene: Scene): void {
  const { world, ticks, realtime, gaps } = scene;
  for (const known of ticks.all()) {
    if (isBehind(scene, known)) world.violate("every tick is done or given up", known.tick.toISOString());
    else if (known.state === "owed") world.count("ticks owed to one customer only");
  }
  for (const { from, to } of gaps)
    for (let time = Math.max(from.getTime(), to.getTime() - HOUR_MS) + TICK_MS; time < to.getTime(); time += TICK_MS)
      if (!ticks.get(new Date(time))) world.violate("lost firings are made up for", new Date(time).toISOString());
  for (const { tick, state } of ticks.all()) {
    const [here, eu] = [realtime.here.get(tick.toISOString()) ?? [], realtime.eu.get(tick.toISOString()) ?? []];
    if (state === "done" && eu.length !== here.length) world.violate("the copy has what the table has", tick.toISOString());
  }
}

/** After a tick to which all was told each customer reads each of its monitored maps, but for who cannot be served. */
export function checkAllShown({ world, maps, uids, unserved }: Scene): void {
  for (const uid of uids) {
    if (uid === unserved) continue;
    const wanted = maps.all().flatMap((map) => (map.uid === uid && map.isMonitored ? [map.id] : []));
    const shown = maps.shown(uid).map(({ targetId }) => targetId);
    if (wanted.sort().join() !== shown.sort().join()) world.violate("what is monitored is shown", `${uid} reads ${shown}, not ${wanted}`);
  }
}
