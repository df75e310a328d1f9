import type { DecidedRows } from "./area-rule.ts";
import { attackOtherHours, hoursOfCount, openStaysAttack, type StaysAttacked, type StaysRow } from "./attacks/stays.ts";
import type { Bounds } from "./bounds.ts";
import type { ActivityValues, Country, RawActivity } from "./dataset.ts";
import { publishStays, type Stays, type StaysOfHours } from "./stays-rule.ts";
import type { Attacked } from "./verdicts.ts";

/** The rows of an hour or a day as they are published, what an attacker concludes of them, and what was delivered if that is known. */
export interface StaysBucket {
  readonly rows: ReadonlyMap<string, ActivityValues>;
  readonly bounds: Bounds;
  readonly raw: ReadonlyMap<string, RawActivity> | undefined;
}

/** The sets of the attacks on stays. */
type StaysSets = Readonly<Record<"complement" | "second" | "few" | "otherHours", readonly Attacked[]>>;

/** Attacks the stays of the finest rows of a day and its hours, together: who stayed in an hour stayed in the day. */
export function auditStays({ places, activities: rules }: Country, hours: readonly StaysBucket[], day: StaysBucket): StaysSets {
  const attack = openStaysAttack(rules);
  const isFinest = (id: string): boolean => places.get(id)?.level === rules.finestLevel;
  const rowOf = ({ rows, bounds, raw }: StaysBucket, id: string): StaysRow | undefined => {
    const [row, bound] = [rows.get(id), bounds.get(id)];
    return row && bound && { bound, staysDevices: row.staysDevices, staysCount: row.staysCount, truth: raw?.get(id) };
  };
  const days = new Map<string, StaysAttacked>();
  for (const id of day.rows.keys()) {
    const row = isFinest(id) ? rowOf(day, id) : undefined;
    const staysOf = hours.map(({ rows }) => rows.get(id));
    if (row) days.set(id, attack({ ...row, hours: staysOfHours(staysOf) }));
  }
  const inHours = hours.flatMap((hour) =>
    [...hour.rows.keys()].filter(isFinest).flatMap((id) => {
      const [row, inDay] = [rowOf(hour, id), days.get(id)];
      return row ? [{ own: attack({ ...row, most: inDay?.few.max }), inDay }] : [];
    }),
  );
  const all = [...inHours.map(({ own }) => own), ...days.values()];
  return {
    complement: all.map(({ complement }) => complement),
    second: all.map(({ second }) => second),
    few: all.map(({ few }) => few),
    otherHours: inHours.flatMap(({ own, inDay }) => (inDay ? [attackOtherHours(inDay, own)] : [])),
  };
}

/** Returns the published stays of the hours of a day's row, of which some are not told. */
function staysOfHours(rows: readonly (Pick<ActivityValues, "staysDevices" | "staysCount"> | undefined)[]): StaysOfHours {
  return {
    devices: hoursOfCount(rows.map((row) => row?.staysDevices ?? 0)),
    count: hoursOfCount(rows.map((row) => row?.staysCount ?? 0)),
  };
}

/** The delivered rows of an hour or a day, and as the rule decides them. */
interface DeliveredBucket {
  readonly raw: ReadonlyMap<string, RawActivity>;
  readonly decided: DecidedRows;
}

/**
 * Returns the stays of a finest row as the rule publishes them.
 * @param hours of its day, if the row is a day's
 */
export function staysByRule(
  { activities: rules }: Pick<Country, "activities">,
  id: string,
  { raw, decided }: DeliveredBucket,
  hours?: readonly DeliveredBucket[],
): Stays {
  const [row, told] = [raw.get(id), decided.get(id)?.told ?? 0];
  if (!row || told === 0) return { devices: 0, count: 0, minutes: 0 };
  const stays = { devices: row.staysDevices, count: row.staysCount, minutes: row.staysMinutes };
  const ofHours = hours?.map((hour) => staysByRule({ activities: rules }, id, hour));
  return publishStays(
    told,
    stays,
    rules,
    ofHours && staysOfHours(ofHours.map(({ devices, count }) => ({ staysDevices: devices, staysCount: count }))),
  );
}
