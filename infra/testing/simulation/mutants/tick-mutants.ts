import type { Mutant } from "./mutant.ts";

const STATE = "shared/realtime/tick-state.ts";
const FINISH = "shared/realtime/complete-tick.ts";
const LOAD = "shared/realtime/load-customer-tables.ts";
const REFRESH = "shared/realtime/refresh.ts";
const SNAPSHOT = "shared/realtime/snapshot.ts";
const EFFECT = "shared/maps/monitoring-effect.ts";
const CHANGE = "shared/realtime/deliver-map-change.ts";
const MEASURE = "shared/realtime/measure-map.ts";
const COMPACTION = "shared/realtime/compaction.ts";
const SWEEP = "shared/realtime/deliver-pending-changes.ts";

/** The guards of the ticks and of what is measured, each of them broken. */
const MUTANTS: readonly Omit<Mutant, "subject">[] = [
  {
    name: "a warehouse id for each call",
    file: FINISH,
    from: "failure = await run(`$" + "{name}_$" + "{attempt}`);",
    to: "failure = await run([name, attempt, finisherClock()].join());\n    function finisherClock(): number { return performance.now(); }",
  },
  {
    name: "a new attempt while one may be under way",
    seed: 27,
    file: FINISH,
    from: "throw new Error(`The refresh of $" + "{tick.toISOString()} takes longer than $" + "{WAITS_MAX * WAIT_MS} ms`);",
    to: 'return "it takes too long";',
  },
  { name: "attempts that fall", seed: 153, file: STATE, from: "Math.max(known.attempts[job], failed + 1)", to: "failed + 1" },
  {
    name: "an attempt is used up for good by one call",
    file: FINISH,
    from: "if (attempt <= ATTEMPTS_MAX) throw new Error(`The job $" + "{name} failed: $" + "{failure}`);",
    to: "",
  },
  {
    name: "a tick is done before its rows are in the customers' tables",
    file: FINISH,
    from: "if (unloaded > 0) throw",
    to: "if (unloaded > 9) throw",
  },
  {
    name: "a load id for each call",
    file: LOAD,
    from: "`$" + "{name}_$" + "{attempt}`, rows",
    to: "`$" + "{name}_$" + "{attempt}_$" + "{performance.now()}`, rows",
  },
  {
    name: "a tick carries what another has carried",
    file: STATE,
    from: "others.has(key) || ",
    to: "",
  },
  {
    name: "a tick that is loaded in part carries more",
    file: STATE,
    from: "  if (known.carried) return known.carried;\n",
    to: "",
  },
  {
    name: "a tick that is loaded in part loads other rows too",
    file: STATE,
    from: "  if (known.loads) return { own: known, others: [] };\n",
    to: "",
  },
  {
    name: "two ticks load what an earlier one has left",
    file: STATE,
    from: "(other.left ?? []).filter((group) => !isDue.has(group)) })),",
    to: "other.left ?? [] })),",
  },
  {
    name: "what is not due is left to nobody",
    file: STATE,
    from: "hasRows ? groups.filter((group) => !isDue.has(group)) : []",
    to: "hasRows ? groups.filter(() => false) : []",
  },
  {
    name: "a tick without rows leaves what others have left",
    seed: 15,
    file: STATE,
    from: "if (!hasRows && taken.length === 0)",
    to: "if (!hasRows)",
  },
  {
    name: "what was measured alone is forgotten if its tick leaves it",
    file: FINISH,
    from: "[tick.toISOString(), ...carried]) groupsOf",
    to: "[tick.toISOString()]) groupsOf; void carried; for (const key of [tick.toISOString()]) groupsOf",
  },
  {
    name: "a tick is done before it is shown",
    file: FINISH,
    from: "first < customers.length; first += WRITES_AT_ONCE",
    to: "first < 0; first += WRITES_AT_ONCE",
  },
  {
    name: "a customer who cannot be served keeps the others from being served",
    seed: 31,
    file: FINISH,
    from: "      missing++;\n",
    to: "      throw error;\n",
  },
  {
    name: "a tick is done though a customer was not served",
    file: FINISH,
    from: "if (missing > 0) throw",
    to: "if (missing > 9) throw",
  },
  {
    name: "a customer who cannot be served keeps older ticks from being finished",
    seed: 31,
    file: REFRESH,
    from: "if (error instanceof CustomersLackTick) return error;",
    to: "",
  },
  {
    name: "a tick is given up in silence",
    seed: 80,
    file: FINISH,
    from: 'log("ERROR", "A tick is given up",',
    to: 'log("INFO", "A tick is given up",',
  },
  { name: "nothing is owed", file: REFRESH, from: "await completeOlderTicks(begun, context);", to: "" },
  {
    name: "an older tick that fails ends the call",
    file: REFRESH,
    from: "if (error instanceof ShuttingDown) throw error;",
    to: "throw error;",
  },
  { name: "lost firings are not made up for", file: STATE, from: "const MISSED_MAX = 12;", to: "const MISSED_MAX = 0;" },
  {
    name: "an older tick overwrites a newer snapshot",
    file: SNAPSHOT,
    from: "if (known.tick && known.tick >= tick) return undefined;",
    to: "",
  },
  {
    name: "a hidden row is forgotten with the first tick that lacks it",
    seed: 127,
    file: SNAPSHOT,
    from: ".filter(([, until]) => isHidden(until, tick));",
    to: ".filter(([id, until]) => isHidden(until, tick) && rows.some(({ targetId }) => targetId === id));",
  },
  {
    name: "a row is shown as soon as the warehouse is told",
    file: SNAPSHOT,
    from: "isForever(until) && delivered.has(id) ? shownFrom : until",
    to: "isForever(until) && delivered.has(id) ? tick : until",
  },
  { name: "hidden rows are shown", file: SNAPSHOT, from: "!isHidden(hidden[targetId], tick) && ", to: "" },
  {
    name: "hidden rows are hidden for ever",
    file: SNAPSHOT,
    from: "return until !== undefined && tick < until;",
    to: "return until !== undefined;",
  },
  {
    name: "what is switched off is not hidden",
    file: EFFECT,
    from: 'isMonitored ? "shown" : "hidden"',
    to: 'isMonitored ? "shown" : "as it was"',
  },
  {
    name: "what is switched on shows what was before",
    seed: 25,
    file: EFFECT,
    from: 'row: isMonitored ? "shown" : "hidden"',
    to: 'row: isMonitored ? "as it was" : "hidden"',
  },
  { name: "a map that is deleted is owed to nobody", file: EFFECT, from: "after?.version ?? before.version + 1", to: "after?.version" },
  { name: "a deleted map has the version that it had", file: EFFECT, from: "before.version + 1;", to: "before.version;" },
  {
    name: "a newer change is delivered by an older version",
    seed: 43,
    file: EFFECT,
    from: "return change.version <= version;",
    to: "return version > 0;",
  },
  {
    name: "a change is delivered before the warehouse knows",
    file: CHANGE,
    from: "  await monitoredMaps.append(row);\n  await changes.markDelivered(mapId, version);",
    to: "  await changes.markDelivered(mapId, version);\n  await monitoredMaps.append(row);",
  },
  {
    name: "a version is appended before its cells",
    file: CHANGE,
    from: "  await mapCells.append(missing);\n",
    to: "  void Promise.resolve().then(() => mapCells.append(missing)).catch(() => undefined);\n",
  },
  {
    name: "cells of which some stand are appended again",
    file: CHANGE,
    from: "rows.filter(({ part }) => !standing.some((one) => one.part === part))",
    to: "rows",
  },
  {
    name: "cells of which some stand are taken for whole",
    file: CHANGE,
    from: "if (first && standing.length === first.parts) return",
    to: "if (first) return",
  },
  {
    name: "a rename appends cells",
    file: CHANGE,
    from: "const hash = geometryHash(uid, geometry, table);",
    to: "const hash = geometryHash(uid + map.name, geometry, table);",
  },
  {
    name: "what has just been appended is compacted",
    seed: 350,
    file: COMPACTION,
    from: "now.getTime() - STREAMED_MS",
    to: "now.getTime()",
  },
  {
    name: "a warehouse id for each delivery of a map to measure",
    seed: 34,
    file: MEASURE,
    from: "$" + "{version}_$" + "{tickName(tick)}`",
    to: "$" + "{version}_$" + "{tickName(tick)}_$" + "{performance.now()}`",
  },
  {
    name: "a map that was measured alone is shown though it is hidden",
    file: SNAPSHOT,
    from: "!isHidden(hidden[targetId], own) && ",
    to: "",
  },
  {
    name: "a tick brings back what was measured alone before the map was switched off",
    seed: 65,
    file: SNAPSHOT,
    from: "measured: known.measured, hidden: known.hidden }",
    to: "measured: known.measured, hidden: {} }",
  },
  { name: "the sweeper finishes no change", file: SWEEP, from: "rows: await deliverMapChange(mapId, context)", to: "rows: 0" },
];

export const TICK_MUTANTS: readonly Mutant[] = MUTANTS.map((mutant) => ({ ...mutant, subject: "ticks" }));
