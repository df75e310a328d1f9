/** A geography of a small world. */
export interface Place {
  readonly name: string;
  /** The index of its type, from the finest. */
  readonly level: 0 | 1 | 2 | 3;
  /** The places that it lies in, by level, without itself: `at_1` to `at_3` of the nesting. Some may have no rows. */
  readonly at?: Readonly<Partial<Record<1 | 2 | 3, string>>>;
  /** The places that cover it. */
  readonly parts?: readonly string[];
  /** Places that it shares some, all or none of its devices with. */
  readonly touches?: readonly string[];
  /** How many further parts the nesting gives it. They have nobody in any world, or only touch it. */
  readonly empty?: number;
}

/** Small worlds of the same places: every one with up to `max` devices in each finest place and hour, and all that is possible around them. */
export interface Family {
  readonly name: string;
  readonly k: number;
  readonly step: number;
  /** The people that each device stands for. */
  readonly peopleOfDevice: number;
  /**
   * The people that each device of a finest row of fewer than k stands for, if they are others. Nobody is in two places or hours then, which `where`
   * must say, since a row's people are those of its parts or hours.
   */
  readonly peopleOfFew?: number;
  /** Finest first. */
  readonly places: readonly Place[];
  readonly max: number;
  /** SQL over the columns of a world, that it must satisfy. */
  readonly where?: string;
  /** The hours of the day, which then has rows too. Left out: one hour. */
  readonly hours?: number;
  /** Whether devices stay, each once to `stays` times in an hour. A device stays in a day if it does so in an hour. */
  readonly stays?: number;
  /** Whether the country has the strict profile, which publishes no hours of the finest type. */
  readonly isStrict?: true;
}

/**
 * Devices that a customer may look for where some rows are published and others are not:
 * those of a row (told or hidden) and of all hidden finest rows of a place (group), of a place but not of a part of it (level), of both parts of
 * a place (overlap), of a day but not of an hour, and those that stayed, did not, stayed again, or stayed in a day but not in an hour.
 */
export interface HiddenSet {
  readonly kind:
    | "told"
    | "hidden"
    | "group"
    | "level"
    | "overlap"
    | "day less hour"
    | "stayed"
    | "did not stay"
    | "second stays"
    | "stayed at other hours";
  /** SQL over the columns of the worlds. */
  readonly devices: string;
  /** The slots of rows that must be published, and that must not be. */
  readonly told: readonly number[];
  readonly withheld: readonly number[];
}

/** Whether the worlds of a family have a day. */
export function isDay({ hours = 1 }: Family): boolean {
  return hours > 1;
}

/** The buckets of a family: its hours, and its day if it has one. */
export function bucketsOf({ hours = 1 }: Family): string[] {
  const names = Array.from({ length: hours }, (_, index) => `h${index + 1}`);
  return hours > 1 ? [...names, "day"] : names;
}

/** The hours of a family. */
function hoursOf(family: Family): string[] {
  return bucketsOf(family).filter((bucket) => bucket !== "day");
}

/** Returns the slot of a row: its bit in what is published of a world. */
function slotOf(family: Family, bucket: string, place: string): number {
  return bucketsOf(family).indexOf(bucket) * family.places.length + family.places.findIndex(({ name }) => name === place);
}

/** Returns the column of a world with the devices of a row. */
export function column(bucket: string, place: string): string {
  return `${place}_${bucket}`;
}

/** Returns an expression for the people of a row, over the columns of a world. */
export function peopleOf(family: Family, bucket: string, place: string): string {
  const { k, peopleOfDevice, peopleOfFew = peopleOfDevice, places } = family;
  const n = column(bucket, place);
  const parts = places.find(({ name }) => name === place)?.parts ?? [];
  const hours = bucket === "day" ? hoursOf(family) : [];
  if (peopleOfFew === peopleOfDevice) return `${n} * ${peopleOfDevice}`;
  if (hours.length > 0) return `(${hours.map((hour) => peopleOf(family, hour, place)).join(" + ")})`;
  if (parts.length > 0) return `(${parts.map((part) => peopleOf(family, bucket, part)).join(" + ")})`;
  return `${n} * if(${n} < ${k}, ${peopleOfFew}, ${peopleOfDevice})`;
}

/** Returns the query of all worlds of a family: `world` from 0, and a column for each row, with its devices. */
export function worldsQuery(family: Family): string {
  const counts = bucketsOf(family).flatMap((bucket) =>
    family.places.flatMap((place) => {
      const hours = bucket === "day" ? hoursOf(family).map((hour) => column(hour, place.name)) : [];
      return [devicesOf(family, bucket, place, hours), ...staysOf(family, bucket, place, hours)];
    }),
  );
  const names = counts.map(({ name }) => name);
  const tables = counts.map(({ name, least, most }) => `(SELECT unnest(range(${least}, ${most} + 1))::BIGINT AS ${name})`);
  return `SELECT row_number() OVER () - 1 AS world, ${names.join(", ")} FROM ${tables.join(", ")}${family.where === undefined ? "" : ` WHERE ${family.where}`}`;
}

/** A column of a world, and expressions for the least and the most that it can have, over the columns before it. */
interface CountColumn {
  readonly name: string;
  readonly least: string;
  readonly most: string;
}

/** The devices of a row: all of its largest hour or part, and no more than there are in all of them. */
function devicesOf(family: Family, bucket: string, { name, parts = [], touches = [] }: Place, hours: readonly string[]): CountColumn {
  const own = column(bucket, name);
  const within = parts.map((part) => column(bucket, part));
  const all = [...hours, ...within];
  if (all.length === 0) return { name: own, least: "0", most: String(family.max) };
  const shared = touches.map((other) => column(bucket, other));
  const sums = [hours, [...within, ...shared]].filter(({ length }) => length > 0).map((terms) => terms.join(" + "));
  return { name: own, least: `greatest(${all.join(", ")})`, most: `least(${sums.join(", ")})` };
}

/** The devices of a finest row that stayed, and their stays, if devices stay. */
function staysOf({ stays }: Family, bucket: string, { name, parts = [] }: Place, hours: readonly string[]): CountColumn[] {
  if (stays === undefined || parts.length > 0) return [];
  const own = column(bucket, name);
  const [s, c] = [`s_${own}`, `c_${own}`];
  if (hours.length === 0)
    return [
      { name: s, least: "0", most: own },
      { name: c, least: s, most: `${s} * ${stays}` },
    ];
  const [stayed, counted] = [hours.map((hour) => `s_${hour}`), hours.map((hour) => `c_${hour}`)];
  return [
    { name: s, least: `greatest(${stayed.join(", ")})`, most: `least(${own}, ${stayed.join(" + ")})` },
    { name: c, least: `greatest(${[s, ...counted].join(", ")})`, most: counted.join(" + ") },
  ];
}

/** Returns every set of devices that is looked for in the worlds of a family. */
export function hiddenSets(family: Family): HiddenSet[] {
  return bucketsOf(family).flatMap((bucket) => [...ofPlaces(family, bucket), ...ofHours(family, bucket), ...ofStays(family, bucket)]);
}

function ofPlaces(family: Family, bucket: string): HiddenSet[] {
  const slot = (name: string): number => slotOf(family, bucket, name);
  return family.places.flatMap(({ name, parts = [] }): HiddenSet[] => {
    const own = column(bucket, name);
    const inside = finestWithin(family, name);
    const [first, second, ...others] = parts;
    const overlap: HiddenSet[] =
      first === undefined || second === undefined || others.length > 0
        ? []
        : [
            {
              kind: "overlap",
              devices: `${column(bucket, first)} + ${column(bucket, second)} - ${own}`,
              told: [slot(name), slot(first), slot(second)],
              withheld: [],
            },
          ];
    return [
      { kind: "told", devices: own, told: [slot(name)], withheld: [] },
      { kind: "hidden", devices: own, told: [], withheld: [slot(name)] },
      ...subsets(inside).map(
        (group): HiddenSet => ({
          kind: "group",
          devices: group.map((part) => column(bucket, part)).join(" + "),
          told: inside.filter((part) => !group.includes(part)).map(slot),
          withheld: group.map(slot),
        }),
      ),
      ...within(family, name).map(
        (part): HiddenSet => ({ kind: "level", devices: `${own} - ${column(bucket, part)}`, told: [slot(name), slot(part)], withheld: [] }),
      ),
      ...overlap,
    ];
  });
}

function ofHours(family: Family, bucket: string): HiddenSet[] {
  if (bucket !== "day") return [];
  return family.places.flatMap(({ name }) =>
    hoursOf(family).map((hour) => ({
      kind: "day less hour",
      devices: `${column("day", name)} - ${column(hour, name)}`,
      told: [slotOf(family, "day", name), slotOf(family, hour, name)],
      withheld: [],
    })),
  );
}

function ofStays(family: Family, bucket: string): HiddenSet[] {
  if (family.stays === undefined) return [];
  return family.places.flatMap(({ name, parts = [] }): HiddenSet[] => {
    if (parts.length > 0) return [];
    const [n, told] = [column(bucket, name), [slotOf(family, bucket, name)]];
    const hours = bucket === "day" ? hoursOf(family) : [];
    return [
      ...hours.map(
        (hour): HiddenSet => ({
          kind: "stayed at other hours",
          devices: `s_${n} - s_${column(hour, name)}`,
          told: [...told, slotOf(family, hour, name)],
          withheld: [],
        }),
      ),
      { kind: "did not stay", devices: `${n} - s_${n}`, told, withheld: [] },
      { kind: "second stays", devices: `c_${n} - s_${n}`, told, withheld: [] },
      { kind: "stayed", devices: `s_${n}`, told, withheld: [] },
    ];
  });
}

/** The places inside one, direct parts or parts of these. */
function within(family: Family, name: string): string[] {
  const parts = family.places.find((place) => place.name === name)?.parts ?? [];
  return [...new Set(parts.flatMap((part) => [part, ...within(family, part)]))];
}

function finestWithin(family: Family, name: string): string[] {
  const finest = new Set(family.places.filter(({ parts = [] }) => parts.length === 0).map((place) => place.name));
  return within(family, name).filter((part) => finest.has(part));
}

/** The subsets of two or more names. */
function subsets(names: readonly string[]): string[][] {
  let all: string[][] = [[]];
  for (const name of names) all = [...all, ...all.map((subset) => [...subset, name])];
  return all.filter(({ length }) => length > 1);
}
