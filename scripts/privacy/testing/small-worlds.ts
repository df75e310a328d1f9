import { type Counts, type DecidedRows, publishDay, publishHour } from "../area-rule.ts";
import { type AreaRules, nearest, peopleOf } from "../area-rules.ts";
import type { Place, Places } from "../places.ts";
import type { SeenWorld, SetCount } from "../possible-worlds.ts";
import { publishStays } from "../stays-rule.ts";

/** Returns a place within others, for tests. */
export function place(id: string, level: number, around: readonly (string | undefined)[], parts = 0, straddles = false): Place {
  return { id, level, around, parts, straddles };
}

/** Returns places by id. */
export function placesOfTest(...all: readonly Place[]): Places {
  return new Map(all.map((one) => [one.id, one]));
}

/** Every combination of counts of parts, and of the unique devices of those around them: from the largest part's to the sum. */
function* combinations(parts: readonly (readonly number[])[]): Generator<readonly number[]> {
  const [first, ...rest] = parts;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const others of combinations(rest)) for (const value of first) yield [value, ...others];
}

/** The whole numbers from 0, or another one, to `max`. */
export function upTo(max: number, min = 0): number[] {
  return Array.from({ length: max - min + 1 }, (_, index) => min + index);
}

/** The unique devices that a place can have whose parts have these. */
function uniques(parts: readonly number[]): number[] {
  return upTo(
    parts.reduce((sum, count) => sum + count, 0),
    Math.max(...parts),
  );
}

/** Counts of a bucket from devices by id. */
export function countsOf(devices: Readonly<Record<string, number>>, rules: AreaRules): Counts {
  return new Map(Object.entries(devices).map(([id, count]) => [id, { devices: count, people: peopleOf(count, rules) }]));
}

/** What is published of a bucket, as one text. */
function seen(rows: ReturnType<typeof publishHour>): string {
  return [...rows]
    .flatMap(([id, { number }]) => (number > 0 ? [`${id}=${number}`] : []))
    .sort()
    .join(" ");
}

/** Every world of a km with cells of up to `max` devices, and the sets that an attacker is after. */
export function* kmWorlds(cells: number, max: number, rules: AreaRules): Generator<SeenWorld> {
  const ids = upTo(cells - 1).map((index) => `0/${index}`);
  const places = placesOfTest(place("1/0", 1, [undefined, "1/0"], cells), ...ids.map((id) => place(id, 0, [id, "1/0"])));
  for (const parts of combinations(ids.map(() => upTo(max))))
    for (const km of uniques(parts)) {
      const counts = countsOf({ "1/0": km, ...Object.fromEntries(ids.map((id, index) => [id, parts[index] ?? 0])) }, rules);
      const rows = publishHour(places, rules, counts);
      const isTold = (id: string): boolean => (rows.get(id)?.told ?? 0) > 0;
      const of = (id: string): number => counts.get(id)?.devices ?? 0;
      const cellSets: SetCount[] = ids.map((id) => ({ name: id, count: of(id) }));
      const differences = ids.filter((id) => isTold("1/0") && isTold(id)).map((id) => ({ name: `1/0 less ${id}`, count: km - of(id) }));
      yield { published: seen(rows), sets: [...cellSets, ...differences] };
    }
}

/** Every world of an hour of a km with two cells, and of a tick in it: a device is in one cell at a time. */
export function* tickWorlds(max: number, rules: AreaRules): Generator<SeenWorld> {
  const places = placesOfTest(place("1/0", 1, [undefined, "1/0"], 2), ...["0/0", "0/1"].map((id) => place(id, 0, [id, "1/0"])));
  const atTick = (devices: number): number => (devices < rules.k ? 0 : Math.max(rules.step, nearest(peopleOf(devices, rules), rules.step)));
  for (const [a = 0, b = 0] of combinations([upTo(max), upTo(max)]))
    for (const km of uniques([a, b])) {
      const rows = publishHour(places, rules, countsOf({ "0/0": a, "0/1": b, "1/0": km }, rules));
      const areTold = (...ids: readonly string[]): boolean => ids.every((id) => (rows.get(id)?.told ?? 0) > 0);
      for (const [inA, inB] of presences(a, b, km)) {
        const differences = [
          { isSought: areTold("1/0"), name: "km less tick", count: km - inA - inB },
          { isSought: areTold("1/0", "0/0"), name: "km less cell", count: km - a },
          { isSought: areTold("0/0"), name: "cell less tick", count: a - inA },
          { isSought: areTold("1/0", "0/0", "0/1"), name: "overlap", count: a + b - km },
        ];
        const cells = [
          { name: "cell", count: a },
          { name: "cell at the tick", count: inA },
        ];
        yield {
          published: `${seen(rows)}; ${atTick(inA)} ${atTick(inB)}`,
          sets: [...cells, ...differences.filter(({ isSought }) => isSought)],
        };
      }
    }
}

/** The devices that can be in two cells at a tick: no more than the cells have in the hour, and the km around both. */
function* presences(a: number, b: number, km: number): Generator<readonly [inA: number, inB: number]> {
  for (const inA of upTo(a)) for (const inB of upTo(Math.min(b, km - inA))) yield [inA, inB];
}

/** Every world of a cell with hours and a day. */
export function* dayWorlds(hours: number, max: number, rules: AreaRules): Generator<SeenWorld> {
  const cell = placesOfTest(place("0/0", 0, ["0/0"]));
  for (const counts of combinations(upTo(hours - 1).map(() => upTo(max))))
    for (const day of uniques(counts)) {
      const decided = counts.map((count) => publishHour(cell, rules, countsOf({ "0/0": count }, rules)));
      // An hour of the batch has rows of other cells, also where this cell has none.
      const others = decided.map((rows) => new Map([...rows, ["0/1", { told: 0, number: 0, most: 0, hidden: 0, isSealed: false }]]));
      const daily = publishDay(cell, rules, countsOf({ "0/0": day }, rules), others);
      const told = decided.map((rows) => (rows.get("0/0")?.told ?? 0) > 0);
      yield {
        published: [...decided, daily].map(seen).join("; "),
        sets: counts.map((count, hour) =>
          told[hour] ? { name: `day less ${hour}`, count: day - count } : { name: `hour ${hour}`, count },
        ),
      };
    }
}

/** Every world of the stays of a told cell: what is published of it with all its devices, those that stayed, and their stays. */
export function* staysWorlds(max: number, countMax: number, rules: AreaRules): Generator<SeenWorld> {
  const cell = placesOfTest(place("0/0", 0, ["0/0"]));
  for (const n of upTo(max, rules.k)) {
    const rows = publishHour(cell, rules, countsOf({ "0/0": n }, rules));
    const told = rows.get("0/0")?.told ?? 0;
    for (const s of upTo(n))
      for (const c of s === 0 ? [0] : upTo(Math.max(s, countMax), s)) {
        const { devices, count } = publishStays(told, { devices: s, count: c, minutes: 0 }, rules);
        const sets = [
          { name: "complement", count: n - s },
          { name: "second stays", count: c - s },
          { name: "few stayed", count: s },
        ];
        yield { published: `${seen(rows)} ${devices} ${count}`, sets };
      }
  }
}

/** What is published of a place a second time: the number that stands, if the new one is within a step. */
function again(before: DecidedRows, after: DecidedRows, id: string, { step }: AreaRules): number {
  const [standing, fresh] = [before, after].map((rows) => rows.get(id)?.number ?? 0);
  if (standing === undefined || fresh === undefined) return 0;
  return standing > 0 && fresh > 0 && Math.abs(fresh - standing) <= step ? standing : fresh;
}

/** Every world of a cell with hours and a day that is published twice: without its last hour, and with it. */
export function* lateHourWorlds(hours: number, max: number, rules: AreaRules): Generator<SeenWorld> {
  const cell = placesOfTest(place("0/0", 0, ["0/0"]));
  for (const counts of combinations(upTo(hours - 1).map(() => upTo(max)))) {
    const decided = counts.map((count) => publishHour(cell, rules, countsOf({ "0/0": count }, rules)));
    const others = decided.map((rows) => new Map([...rows, ["0/1", { told: 0, number: 0, most: 0, hidden: 0, isSealed: false }]]));
    for (const day of uniques(counts)) {
      const of = (present: typeof others) => publishDay(cell, rules, countsOf({ "0/0": day }, rules), present);
      const [before, after] = [of(others.slice(0, -1)), of(others)];
      yield {
        published: [seen(before), again(before, after, "0/0", rules), ...decided.map(seen)].join("; "),
        sets: counts.map((count, hour) =>
          decided[hour]?.get("0/0")?.told ? { name: `day less ${hour}`, count: day - count } : { name: `hour ${hour}`, count },
        ),
      };
    }
  }
}

/** Every world of an area of two km, of two cells and one, that is published twice: without the rows of its km, and with them. */
export function* lateKmWorlds(max: number, rules: AreaRules): Generator<SeenWorld> {
  const cell = (id: string, km: string) => place(id, 0, [id, km, "2/X"]);
  const km = (id: string, parts: number) => place(id, 1, [undefined, id, "2/X"], parts);
  const area = place("2/X", 2, [undefined, undefined, "2/X"], 2);
  const places = placesOfTest(cell("0/A", "1/K"), cell("0/B", "1/K"), cell("0/C", "1/L"), km("1/K", 2), km("1/L", 1), area);
  for (const [a = 0, b = 0, c = 0] of combinations([upTo(max), upTo(max), upTo(max)]))
    for (const inKm of uniques([a, b]))
      for (const inArea of uniques([inKm, c])) {
        const early = { "0/A": a, "0/B": b, "0/C": c, "2/X": inArea };
        const before = publishHour(places, rules, countsOf(early, rules));
        const after = publishHour(places, rules, countsOf({ ...early, "1/K": inKm, "1/L": c }, rules));
        const withheld = Object.entries({ "0/A": a, "0/B": b, "0/C": c }).filter(([id]) => !after.get(id)?.told);
        yield {
          published: [seen(before), seen(new Map([...after].filter(([id]) => id !== "2/X"))), again(before, after, "2/X", rules)].join(
            "; ",
          ),
          sets: withheld.map(([name, count]) => ({ name, count })),
        };
      }
}
