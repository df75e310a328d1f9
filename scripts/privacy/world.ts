import type { Count, Counts, DecidedRows } from "./area-rule.ts";
import { type AreaRules, peopleOf } from "./area-rules.ts";
import type { Places } from "./places.ts";

/**
 * Returns a world that should publish the same as a bucket does, but has no hidden devices where the rule does not need any: each row has the
 * devices for which it is told. Where a row is told for more devices than its parts, the rest lies in its hiding places, from the first of
 * them or from the last.
 */
export function worldWithout(
  places: Places,
  parts: ReadonlyMap<string, readonly string[]>,
  rules: AreaRules,
  counts: Counts,
  decided: DecidedRows,
  fromLast: boolean,
): Counts {
  const extra = new Map<string, number>();
  const world = new Map<string, Count>();
  const told = (id: string): number => decided.get(id)?.told ?? 0;
  const coarsestFirst = [...places.values()].sort((a, b) => b.level - a.level);
  for (const { id, level } of coarsestFirst) {
    const beyond = extra.get(id) ?? 0;
    const devices = told(id) + beyond;
    if (devices === 0) continue;
    world.set(id, { devices, people: peopleTold(id, counts, decided) + peopleOf(beyond, rules) });
    if (level === rules.finestLevel) continue;
    const own = parts.get(id) ?? [];
    const lack = Math.max(0, told(id) - own.reduce((sum, part) => sum + told(part), 0)) + beyond;
    const hiding = own.filter((part) => !decided.get(part)?.isSealed);
    spread(lack, fromLast ? hiding.reverse() : hiding, rules.k - 1, extra);
  }
  return world;
}

/** The people of the devices that a row is told for, as the rule scales them. */
function peopleTold(id: string, counts: Counts, decided: DecidedRows): number {
  const [count, row] = [counts.get(id), decided.get(id)];
  return count && row && count.devices > 0 ? Math.floor((count.people * row.told) / count.devices) : 0;
}

function spread(devices: number, among: readonly string[], most: number, extra: Map<string, number>): void {
  let left = devices;
  for (const id of among) {
    if (left <= 0) return;
    const here = Math.min(most, left);
    extra.set(id, (extra.get(id) ?? 0) + here);
    left -= here;
  }
}

/**
 * Returns the ids of places in which a world cannot stand for another: where it is told otherwise, or a place has fewer devices than a part or
 * more than all of them. Everything that lies in the same place of the coarsest level is unproven with it.
 */
export function contradictions(
  places: Places,
  parts: ReadonlyMap<string, readonly string[]>,
  world: Counts,
  published: DecidedRows,
  expected: DecidedRows,
): ReadonlySet<string> {
  const wrong = new Set<string>();
  for (const id of new Set([...published.keys(), ...expected.keys()])) {
    const [a, b] = [published.get(id), expected.get(id)];
    if ((a?.told ?? 0) !== (b?.told ?? 0) || (a?.number ?? 0) !== (b?.number ?? 0)) wrong.add(topOf(places, id));
  }
  for (const [id, { devices }] of world) {
    const own = (parts.get(id) ?? []).map((part) => world.get(part)?.devices ?? 0);
    if (own.length === 0) continue;
    if (devices < Math.max(...own) || devices > own.reduce((sum, count) => sum + count, 0)) wrong.add(topOf(places, id));
  }
  return wrong;
}

/** Returns the id of the coarsest place around a place. */
export function topOf(places: Places, id: string): string {
  return places.get(id)?.around.findLast((around) => around !== undefined) ?? id;
}
