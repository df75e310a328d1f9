import { CARRY_WITHIN_MS, carriedBy, type Measurement, type TickState } from "./tick-state.ts";

/** A tick, with the measurements of single maps that it carries: none as long as that is not decided. */
type CarryingTick = Pick<TickState, "tick" | "carried">;

/**
 * What recent ticks carry, kept in one place: all ticks after `since` up to `latest`. So a tick reads only those that have come since, not all of
 * two hours.
 */
export interface CarriedTicks {
  readonly since: Date;
  readonly latest: Date;
  readonly ticks: readonly { readonly tick: Date; readonly carried: readonly string[] }[];
}

/** Returns after when ticks have to be read before a tick can decide: after those that are known if they reach back far enough. */
export function unknownAfter(known: CarriedTicks | undefined, tick: Date): Date {
  const since = new Date(tick.getTime() - CARRY_WITHIN_MS);
  return known && known.since <= since && known.latest > since ? known.latest : since;
}

/**
 * Decides which measurements a tick carries (`carriedBy`), and adds that to what is known.
 * @param found all ticks after `unknownAfter`
 */
export function decideCarried(
  own: TickState,
  known: CarriedTicks | undefined,
  found: readonly CarryingTick[],
  measurements: readonly Measurement[],
): { readonly carried: readonly string[]; readonly after: CarriedTicks } {
  const carried = carriedBy(own, [...(known?.ticks ?? []), ...found], measurements);
  const since = known?.since ?? unknownAfter(known, own.tick);
  const keys = new Map<number, Set<string>>();
  for (const { tick, carried: some = [] } of [...(known?.ticks ?? []), ...found, { tick: own.tick, carried }])
    keys.set(tick.getTime(), new Set([...(keys.get(tick.getTime()) ?? []), ...some]));
  const latest = Math.max(...keys.keys());
  const from = Math.max(since.getTime(), latest - CARRY_WITHIN_MS);
  const ticks = [...keys].filter(([tick]) => tick > from).map(([tick, all]) => ({ tick: new Date(tick), carried: [...all] }));
  return { carried, after: { since: new Date(from), latest: new Date(latest), ticks } };
}
