import { publishHour } from "../area-rule.ts";
import { type AreaRules, peopleOf } from "../area-rules.ts";
import { leastAssignment } from "../assignment.ts";
import { drawn } from "../drawn.ts";
import type { Places } from "../places.ts";

/** A cell of a town: how many devices are in it at night and at noon, and where it is, in metres. */
export interface TownCell {
  /** The id of its place. */
  readonly id: string;
  readonly east: number;
  readonly north: number;
  readonly night: number;
  readonly noon: number;
}

/** The cell of each device (index of the town's cells) in each hour. */
export type Traces = readonly (readonly number[])[];

/** How much of the trajectories an attacker recovers from counts, shares from 0 to 1. */
export interface Recovery {
  /** Hours of devices in which the recovered trajectory that fits a device best has it in its cell. */
  readonly accuracy: number;
  /** Devices that a recovered trajectory has in their cell in nine hours of ten. */
  readonly followed: number;
  /** Those of them whose trajectory fits fewer than k devices so well: it is theirs alone, or of a few. */
  readonly singledOut: number;
  /** The accuracy of trajectories linked at random from the same counts: what the counts tell without any link. */
  readonly chance: number;
}

const HOURS = 24;
const NOON = 12;
/** No token: an attacker does not know where somebody is. */
const UNKNOWN = -1;
/** The cost of nobody knows where, in metres: farther than most move in an hour. */
const UNKNOWN_METRES = 2000;
const FOLLOWED = 0.9;

/** Draws devices that live, work and meet in a town as its counts have it, hour by hour of some days. */
export function drawnTraces(cells: readonly TownCell[], devices: number, days: number, seed: number): Traces {
  const random = drawn(seed);
  const pick = (weightOf: (cell: TownCell) => number): number => {
    const sum = cells.reduce((total, cell) => total + weightOf(cell), 0);
    let left = random() * sum;
    const found = cells.findIndex((cell) => {
      left -= weightOf(cell);
      return left < 0;
    });
    return Math.max(0, found);
  };
  return Array.from({ length: devices }, () => {
    const [home, work, third] = [pick(({ night }) => night), pick(({ noon }) => noon), pick(({ noon }) => noon)];
    const [leaves, returns] = [6 + Math.floor(random() * 4), 15 + Math.floor(random() * 4)];
    return Array.from({ length: days }, () => {
      const [late, goesOut] = [Math.floor(random() * 2), random() < 0.3];
      return Array.from({ length: HOURS }, (_, hour) => {
        if (hour >= leaves + late && hour < returns + late) return work;
        return goesOut && hour >= returns + late && hour < returns + late + 2 ? third : home;
      });
    }).flat();
  });
}

/**
 * Recovers trajectories as Xu et al. (2017) do, from the devices that are counted in each cell and hour: people who are counted in an hour are
 * linked with those of the next where they need to move the least, and the days are then linked by the habits that they show.
 * @param counted how many devices are known to be in a cell in an hour
 */
export function recoverTrajectories(
  cells: readonly TownCell[],
  traces: Traces,
  counted: (hour: number) => readonly number[],
  { k, seed }: { readonly k: number; readonly seed: number },
): Recovery {
  const hours = traces[0]?.length ?? 0;
  const tokens = Array.from({ length: hours }, (_, hour) => counted(hour).flatMap((count, cell) => new Array<number>(count).fill(cell)));
  const size = Math.max(traces.length, ...tokens.map((own) => own.length));
  const padded = tokens.map((own) => [...own, ...new Array<number>(size - own.length).fill(UNKNOWN)]);
  const metres = distances(cells);
  const days = Array.from({ length: hours / HOURS }, (_, day) => linkedHours(padded.slice(day * HOURS, (day + 1) * HOURS), metres));
  const [first = [], ...others] = days;
  const linked = others.reduce((known, day) => linkedDays(known, day), first);
  const random = drawn(seed);
  const shuffled = padded.map((own) => own.map((cell) => ({ cell, at: random() })).sort((a, b) => a.at - b.at));
  const atRandom = Array.from({ length: size }, (_, token) => shuffled.map((own) => own[token]?.cell ?? UNKNOWN));
  return { ...fitOf(traces, linked, k), chance: fitOf(traces, atRandom, k).accuracy };
}

/** Returns the devices that are counted exactly: what an attacker of Xu et al. has. */
export function exactCounts(cells: readonly TownCell[], traces: Traces): (hour: number) => readonly number[] {
  return (hour) => {
    const counts = new Array<number>(cells.length).fill(0);
    for (const trace of traces) {
      const cell = trace[hour] ?? 0;
      counts[cell] = (counts[cell] ?? 0) + 1;
    }
    return counts;
  };
}

/** Returns the devices that an attacker reads off published people: the most likely number for each told cell, none for the others. */
export function publishedCounts(
  places: Places,
  rules: AreaRules,
  cells: readonly TownCell[],
  traces: Traces,
): (hour: number) => readonly number[] {
  const exact = exactCounts(cells, traces);
  return (hour) => {
    const counts = exact(hour).map((devices, cell) => [cells[cell]?.id ?? "", { devices, people: peopleOf(devices, rules) }] as const);
    const rows = publishHour(places, rules, new Map(counts));
    return cells.map(({ id }) => Math.round((rows.get(id)?.number ?? 0) / rules.peoplePerDevice));
  };
}

/** Links the people of one hour with those of the next: they move little, and in the afternoon back to where they slept. Returns the cells of each. */
function linkedHours(tokens: readonly (readonly number[])[], metres: (one: number, other: number) => number): number[][] {
  const [first = [], ...others] = tokens;
  return others.reduce(
    (known, next, index) => {
      const assigned = leastAssignment(next.length, (row, column) => {
        const [own, cell] = [known[row] ?? [], next[column] ?? UNKNOWN];
        return metres(own.at(-1) ?? UNKNOWN, cell) + (index >= NOON ? metres(own[0] ?? UNKNOWN, cell) : 0);
      });
      return known.map((own, row) => [...own, next[assigned[row] ?? 0] ?? UNKNOWN]);
    },
    first.map((cell) => [cell]),
  );
}

/** Links what is known of people with their next day: habits differ from person to person, and repeat from day to day. */
function linkedDays(known: readonly (readonly number[])[], day: readonly (readonly number[])[]): number[][] {
  const last = known.map((own) => own.slice(-HOURS));
  const assigned = leastAssignment(day.length, (row, column) => HOURS - hoursTogether(last[row] ?? [], day[column] ?? []));
  return known.map((own, row) => [...own, ...(day[assigned[row] ?? 0] ?? [])]);
}

function hoursTogether(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, cell, hour) => sum + (cell !== UNKNOWN && cell === other[hour] ? 1 : 0), 0);
}

/** Matches recovered trajectories with devices, one to one, as well as possible. */
function fitOf(traces: Traces, recovered: readonly (readonly number[])[], k: number): Omit<Recovery, "chance"> {
  const hours = traces[0]?.length ?? 0;
  const together = (device: number, own: number): number => hoursTogether(traces[device] ?? [], recovered[own] ?? []);
  const matched = leastAssignment(recovered.length, (row, column) => hours - together(row, column));
  const found = traces.map((_, device) => together(device, matched[device] ?? 0) / hours);
  const sum = found.reduce((total, share) => total + share, 0);
  const followed = traces.flatMap((_, device) => ((found[device] ?? 0) >= FOLLOWED ? [matched[device] ?? 0] : []));
  const fitting = (own: number): number => traces.filter((_, device) => together(device, own) >= FOLLOWED * hours).length;
  const singledOut = followed.filter((own) => fitting(own) < k).length;
  return { accuracy: sum / traces.length, followed: followed.length / traces.length, singledOut: singledOut / traces.length };
}

function distances(cells: readonly TownCell[]): (one: number, other: number) => number {
  const table = cells.map((one) => cells.map((other) => Math.hypot(one.east - other.east, one.north - other.north)));
  return (one, other) => (one === UNKNOWN && other === UNKNOWN ? 0 : (table[one]?.[other] ?? UNKNOWN_METRES));
}
