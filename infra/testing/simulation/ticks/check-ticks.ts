import type { HeadcountRow } from "../../../../shared/realtime/headcount-rows.ts";
import { loadGroupOf } from "../../../../shared/realtime/load-customer-tables.ts";
import type { Snapshot } from "../../../../shared/realtime/snapshot.ts";
import { ATTEMPTS_MAX, CARRY_WITHIN_MS, type TickState } from "../../../../shared/realtime/tick-state.ts";
import type { World } from "../world.ts";
import type { Cloud } from "./realtime.ts";

export const TICK_MS = 5 * 60_000;
const HOUR_MS = 60 * 60_000;

/** The state that the invariants check. */
export interface Scene extends Cloud {
  readonly world: World;
  readonly uids: readonly string[];
  /** The customer whose snapshots cannot be written, if any. */
  readonly unserved: string | undefined;
  /** The ticks that were logged as given up, as an ERROR. */
  readonly abandoned: ReadonlySet<string>;
  /** The loads that were logged as given up, as an ERROR: `{uid} {tick}`. */
  readonly unloaded: ReadonlySet<string>;
  /** Every how many ticks a customer's table is loaded. */
  readonly loadedEvery: number;
  /** The firings in time, between which others may have been lost. */
  readonly gaps: { readonly from: Date; readonly to: Date }[];
}

/** Checks that nothing is shown of a disabled or deleted map, nor of the time before a map was enabled. */
export function checkShown({ world, maps, uids }: Scene): void {
  for (const uid of uids) {
    const snapshot = maps.snapshots.get(uid);
    for (const row of maps.shown(uid)) {
      const { targetId } = row;
      const tick = row === snapshot?.measured[targetId] ? snapshot.measured[targetId].tick : snapshot?.tick;
      const map = maps.get(targetId);
      if (!map?.isMonitored) world.violate("a disabled map is not shown", `${targetId} is shown at ${tick?.toISOString()}`);
      const since = maps.shownSince.get(targetId);
      if (tick && since && tick < since) world.violate("nothing older than the switch is shown", `${targetId} at ${tick.toISOString()}`);
    }
  }
}

/** Checks that a snapshot is never replaced by an older one. */
export function checkReplaced({ world, maps }: Scene, { uid, before }: { readonly uid: string; readonly before: Snapshot }): void {
  const tick = maps.snapshots.get(uid)?.tick;
  if (before.tick && (!tick || tick < before.tick))
    world.violate("no snapshot goes back", `${uid} from ${before.tick.toISOString()} to ${tick?.toISOString()}`);
  if (tick !== before.tick) world.count("snapshots replaced");
}

/** Checks every change of a tick's document, and that a tick marked as done is complete. */
export function checkTick(scene: Scene, after: TickState, before: TickState | undefined): void {
  const { world, ticks, gaps } = scene;
  const name = after.tick.toISOString();
  // A lost tick was never touched.
  if (!before && after.firing && after.touchedAt > after.tick) {
    const earlier = ticks.all().flatMap(({ firing }) => (firing && firing < after.tick ? [firing.getTime()] : []));
    if (earlier.length > 0) gaps.push({ from: new Date(Math.max(...earlier)), to: after.tick });
  }
  if (!before) world.count(after.firing ? "ticks in time" : "ticks late or by hand");
  if (before?.state === "done" && after.state !== "done") world.violate("a done tick stays done", name);
  if (before && after.attempts.statement < before.attempts.statement) world.violate("attempts only rise", name);
  if (before?.loads && JSON.stringify(after.loads) !== JSON.stringify(before.loads))
    world.violate("what a tick loads is decided once", name);
  if (before?.carried && after.carried?.join() !== before.carried.join()) world.violate("what a tick carries is decided once", name);
  if (after.state === before?.state) return;
  world.count(`ticks: ${after.state}`);
  if (after.state === "given up") checkAbandoned(scene, after);
  if (after.state === "done") checkDone(scene, name);
}

function checkAbandoned({ world, abandoned }: Scene, { tick, attempts }: TickState): void {
  const isUsedUp = attempts.statement > ATTEMPTS_MAX;
  if (!abandoned.has(tick.toISOString())) world.violate("a given-up tick is logged", tick.toISOString());
  if (!isUsedUp && world.time - tick.getTime() < 24 * HOUR_MS) world.violate("no tick is given up early", tick.toISOString());
}

function checkDone(scene: Scene, tick: string): void {
  const [lack] = lacking(scene, tick);
  if (lack) scene.world.violate("a done tick is complete", `${tick} ${lack.what}`);
}

/** Returns the missing parts of a tick, with their customers. */
function lacking(scene: Scene, tick: string): { readonly what: string; readonly uid?: string }[] {
  const { realtime, maps } = scene;
  const here = realtime.here.get(tick) ?? [];
  const isUnseen = (uid: string): boolean => (maps.snapshots.get(uid)?.tick?.toISOString() ?? "") < tick;
  return [
    ...(realtime.computed.has(tick) ? [] : [{ what: "was not computed" }]),
    ...notCopied(scene, tick).map((what) => ({ what: `lacks ${what} in its customer's table` })),
    ...here.flatMap(({ uid }) => (isUnseen(uid) ? [{ what: `is not shown to ${uid}`, uid }] : [])),
  ];
}

/**
 * Returns the headcounts that a tick brings into the customers' tables, its own and those that it carries, and that are not there; none of a
 * load that was given up.
 */
function notCopied({ realtime, ticks, unloaded }: Scene, tick: string): string[] {
  const carried = new Set(ticks.get(new Date(tick))?.carried);
  const keyOf = (row: HeadcountRow): string => `${row.target_id} ${row.tick}`;
  const brought = [...realtime.here].flatMap(([at, rows]) => (at === tick ? rows : rows.filter((row) => carried.has(keyOf(row)))));
  const isCopied = (row: HeadcountRow): boolean =>
    realtime.copied.get(row.tick)?.some(({ target_id }) => target_id === row.target_id) ?? false;
  return brought.flatMap((row) => {
    const loader = loaderOf(ticks.all(), tick, row.uid);
    if (isCopied(row) || loader === undefined) return [];
    const isDue = loader.tick.toISOString() === tick || loader.state === "done";
    return !isDue || unloaded.has(`${row.uid} ${loader.tick.toISOString()}`) ? [] : [keyOf(row)];
  });
}

/** Returns the tick that loads the rows of a tick and a customer into its table: none as long as they are left. */
function loaderOf(all: readonly TickState[], tick: string, uid: string): TickState | undefined {
  const group = loadGroupOf(uid);
  const holds = (one: TickState): boolean =>
    one.loads?.some((share) => share.tick.toISOString() === tick && share.groups.includes(group)) ?? false;
  return all.find(holds) ?? all.find((one) => one.tick.toISOString() === tick && !one.left?.includes(group));
}

/** Returns whether something is left of a tick for longer than a table is loaded again. */
export function isLeft({ ticks, uids, loadedEvery }: Scene, { tick, left = [] }: TickState): boolean {
  const newest = Math.max(...ticks.all().map((one) => (one.state === "done" ? one.tick.getTime() : 0)));
  return uids.some((uid) => left.includes(loadGroupOf(uid))) && tick.getTime() <= newest - loadedEvery * TICK_MS;
}

/** Checks that nothing stays left of a tick once the ticks at which tables are loaded have run, and that each row is one tick's. */
function checkLeft(scene: Scene): void {
  const { world, ticks } = scene;
  for (const tick of ticks.all()) if (isLeft(scene, tick)) world.violate("nothing is left of an old tick", tick.tick.toISOString());
  const shares = ticks.all().flatMap(({ loads = [] }) => loads);
  for (const [at, those] of Map.groupBy(shares, ({ tick }) => tick.getTime())) {
    const groups = those.flatMap((share) => share.groups);
    if (new Set(groups).size !== groups.length) world.violate("a row is one tick's to load", new Date(at).toISOString());
  }
}

/** Checks that a tick carries each headcount of a map that was measured by itself, once ticks have run after it. */
function checkCarried({ world, realtime, ticks }: Scene): void {
  const done = ticks.all().flatMap(({ tick, state }) => (state === "done" ? [tick.getTime()] : []));
  const newest = Math.max(...done);
  const carried = new Set(ticks.all().flatMap((one) => one.carried ?? []));
  for (const [at, rows] of realtime.here) {
    const age = newest - Date.parse(at);
    if (ticks.get(new Date(at)) || age <= 0 || age >= CARRY_WITHIN_MS) continue;
    for (const { target_id } of rows)
      if (!carried.has(`${target_id} ${at}`)) world.violate("a tick carries what was measured before it", `${target_id} at ${at}`);
  }
}

/** Returns whether a tick is pending, and not only because of the customer who cannot be served. */
export function isBehind(scene: Scene, { tick, state }: TickState): boolean {
  const lacks = lacking(scene, tick.toISOString());
  return state === "owed" && (lacks.length === 0 || lacks.some(({ uid }) => uid === undefined || uid !== scene.unserved));
}

/** Checks that no change is pending and that the warehouse has the newest version of each map. */
export function checkMapChanges({ world, maps, realtime }: Scene): void {
  for (const { mapId } of maps.owed()) world.violate("no change of monitoring is lost", `${mapId} is still pending`);
  for (const [id, version] of maps.promised) {
    const rows = realtime.versions().filter(({ map_id }) => map_id === id);
    const newest = Math.max(...rows.map((row) => row.version));
    const map = maps.get(id);
    const isMonitored = rows.some((row) => row.version === newest && row.is_monitored);
    // The compaction removes all rows of a map that is long not monitored.
    if (rows.length > 0 && newest < version)
      world.violate("no change of monitoring is lost", `${id} is v${newest} in the warehouse, not v${version}`);
    if (isMonitored !== (map?.isMonitored ?? false))
      world.violate("no change of monitoring is lost", `${id} is ${isMonitored} in the warehouse`);
  }
}

/** Checks that every tick has ended, that none between two firings in time is missing, and that the customers' tables match. */
export function checkTicks(scene: Scene): void {
  const { world, ticks, gaps } = scene;
  for (const known of ticks.all()) {
    if (isBehind(scene, known)) world.violate("every tick is done or given up", known.tick.toISOString());
    else if (known.state === "owed") world.count("ticks owed to one customer only");
  }
  for (const { from, to } of gaps)
    for (let time = Math.max(from.getTime(), to.getTime() - HOUR_MS) + TICK_MS; time < to.getTime(); time += TICK_MS)
      if (!ticks.get(new Date(time))) world.violate("lost firings are made up for", new Date(time).toISOString());
  for (const { tick, state } of ticks.all()) {
    const [lack] = state === "done" ? notCopied(scene, tick.toISOString()) : [];
    if (lack) world.violate("the customers' tables match", `${tick.toISOString()} lacks ${lack}`);
  }
  checkCarried(scene);
  checkLeft(scene);
}

/** Checks, after a tick with all changes delivered, that each customer reads its monitored maps, except the one who cannot be served. */
export function checkAllShown({ world, maps, uids, unserved }: Scene): void {
  for (const uid of uids) {
    if (uid === unserved) continue;
    const wanted = maps.all().flatMap((map) => (map.uid === uid && map.isMonitored ? [map.id] : []));
    const shown = maps.shown(uid).map(({ targetId }) => targetId);
    if (wanted.sort().join() !== shown.sort().join()) world.violate("a monitored map is shown", `${uid} reads ${shown}, not ${wanted}`);
  }
}
