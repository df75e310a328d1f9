import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SeenWorld, scoreWorlds } from "../../../../scripts/privacy/possible-worlds.ts";
import { loadStatement } from "../../../../shared/publishing/load.ts";
import { type Loads, startLoads } from "../../loads.ts";

const [K, STEP, PEOPLE_OF_DEVICE] = [3, 12, 4];
/** The most devices of a part. They end a step: otherwise a number that some of them have would be told by fewer worlds than there are. */
const MOST = 7;
/** The first id of the cells: each world has two, and a km of its own. */
const CELLS = 1_000_000;

/** The devices of two parts, and of the whole that consists of them: two cells and their km, or two hours and their day. */
type Parted = readonly [a: number, b: number, whole: number];

const upTo = (most: number, least = 0): number[] => Array.from({ length: most - least + 1 }, (_, index) => least + index);
/** Every whole with up to so many devices in each part, that share some, all or none of them. */
const WHOLES: readonly Parted[] = upTo(MOST).flatMap((a) =>
  upTo(MOST).flatMap((b) => upTo(a + b, Math.max(a, b)).map((whole): Parted => [a, b, whole])),
);
/** Each world is one whole before the correction and one after it. */
const WORLDS = WHOLES.flatMap((before) => WHOLES.map((after) => ({ before, after })));

/** A row of every world: the expression of its devices, of `a`, `b` and `whole`, its geography and its hour. */
interface RowOfWorlds {
  readonly devices: "a" | "b" | "whole";
  readonly type: "grid_250m" | "grid_1000m";
  /** An expression for the id, of the world's number `w`. */
  readonly id: string;
  readonly hour: number;
}
type ActivityTable = "activities_hourly" | "activities_daily";

const FIRST_CELL = { type: "grid_250m", id: `${CELLS} + 2 * w` } as const;
const SECOND_CELL = { type: "grid_250m", id: `${CELLS} + 2 * w + 1` } as const;
const KM = { type: "grid_1000m", id: "w" } as const;

let loads: Loads;

beforeAll(async () => {
  loads = await startLoads();
  await loads.run("CREATE TABLE staging.wholes (number INT64, a INT64, b INT64, whole INT64)");
  const values = WHOLES.map((devices, number) => `(${[number, ...devices].join(", ")})`);
  await loads.run(`INSERT INTO staging.wholes (number, a, b, whole) VALUES ${values.join(", ")}`);
  const places = [
    [FIRST_CELL, 0, 0],
    [SECOND_CELL, 0, 0],
    [KM, 1, 2],
  ] as const;
  await loads.run(`INSERT INTO intake.nesting (country_code, geo_type, geo_id, level, at_1, at_2, at_3, parts)
${places.map(([{ type, id }, level, parts]) => `SELECT "EST", "${type}", ${id}, ${level}, w, w, NULL, ${parts} FROM UNNEST(GENERATE_ARRAY(0, ${WORLDS.length - 1})) AS w`).join("\nUNION ALL ")}`);
});

afterAll(() => loads.close());

/** Loads rows of every world, whose wholes have this number: an expression of `w`. */
async function load(table: ActivityTable, day: string, rows: readonly RowOfWorlds[], number: string): Promise<void> {
  const row = {
    country_code: "EST",
    batch_date: day,
    time_bucket: `${day} 10:00:00`,
    geo_type: "grid_250m",
    geo_id: 8,
    people: 4,
    devices: 1,
  };
  const staged = await loads.stage(table, [row]);
  const countries = staged.countries.map((country) => ({ ...country, k: K, step: STEP }));
  await loads.run(`DELETE FROM \`${staged.staging}\` WHERE TRUE`);
  const selects = rows.map(
    ({ devices, type, id, hour }) =>
      `SELECT "EST", DATE "${day}", TIMESTAMP "${day} ${hour}:00:00", "${type}", ${id}, 0, 0, 0, ${PEOPLE_OF_DEVICE} * ${devices}, ${devices} FROM worlds WHERE ${devices} > 0`,
  );
  await loads.run(
    `INSERT INTO \`${staged.staging}\` (country_code, batch_date, time_bucket, geo_type, geo_id, stays_count, stays_dwell_minutes, stays_devices, people, devices)
WITH worlds AS (SELECT w, a, b, whole FROM UNNEST(GENERATE_ARRAY(0, ${WORLDS.length - 1})) AS w JOIN staging.wholes AS wholes ON wholes.number = ${number})
${selects.join("\nUNION ALL ")}`,
  );
  await loads.run(loadStatement({ ...staged, countries }));
}

const Rows = v.array(v.object({ id: v.number(), hour: v.number(), people: v.number() }));

/** Returns what is published of each world: of `a`, `b` and `whole`. */
async function published(
  day: string,
  rows: Readonly<Record<ActivityTable, readonly RowOfWorlds[]>>,
): Promise<readonly (readonly number[])[]> {
  const columns = WORLDS.map((): number[] => []);
  for (const table of ["activities_hourly", "activities_daily"] as const) {
    const sql = `SELECT geo_id AS id, EXTRACT(HOUR FROM time_bucket) AS hour, people FROM mobility.${table} WHERE batch_date = "${day}"`;
    const people = new Map(v.parse(Rows, await loads.run(sql)).map((row) => [`${row.id} ${row.hour}`, row.people]));
    for (const { type, id, hour } of rows[table]) {
      const idOf = (w: number): number => (type === "grid_1000m" ? w : CELLS + 2 * w + (id === SECOND_CELL.id ? 1 : 0));
      for (const [w, numbers] of columns.entries()) numbers.push(people.get(`${idOf(w)} ${hour}`) ?? 0);
    }
  }
  return columns;
}

/** The sets of a whole that an attacker looks for: its rows, and of told ones what they do not have in common. */
function setsOf([a, b, whole]: Parted, [inA = 0, inB = 0, inWhole = 0]: readonly number[], version: string) {
  const sets = [
    { name: "a", count: a },
    { name: "b", count: b },
    { name: "whole", count: whole },
    ...(inA > 0 && inWhole > 0 ? [{ name: "whole less a", count: whole - a }] : []),
    ...(inB > 0 && inWhole > 0 ? [{ name: "whole less b", count: whole - b }] : []),
    ...(inA > 0 && inB > 0 && inWhole > 0 ? [{ name: "in both", count: a + b - whole }] : []),
  ];
  return sets.map(({ name, count }) => ({ name: `${name} ${version}`, count }));
}

/** The worlds as one sees them who has these publications, the first and the last of which are of one version each. */
function seenWorlds(publications: readonly (readonly (readonly number[])[])[]): SeenWorld[] {
  return WORLDS.map(({ before, after }, w) => {
    const seen = publications.map((worlds) => worlds[w] ?? []);
    const changed = upTo(2).map((index) => ({ name: `change ${index}`, count: Math.abs((after[index] ?? 0) - (before[index] ?? 0)) }));
    return {
      published: seen.join("; "),
      sets: [...setsOf(before, seen[0] ?? [], "before"), ...setsOf(after, seen.at(-1) ?? [], "after"), ...changed],
    };
  });
}

const [BEFORE, AFTER] = [`DIV(w, ${WHOLES.length})`, `MOD(w, ${WHOLES.length})`];

// If only rows that change by fewer than k devices kept their numbers, 73 sets of each would be recovered, and 766 of a day with what is
// published between its hours and itself: the same devices would have a second number where the parts change.
describe("one who sees every version of a correction, while the raw rows are in intake, recovers no set of 1 to k - 1 devices", () => {
  it("of a km of two cells", async () => {
    const day = "2026-03-01";
    const hourly: readonly RowOfWorlds[] = [
      { devices: "a", ...FIRST_CELL, hour: 10 },
      { devices: "b", ...SECOND_CELL, hour: 10 },
      { devices: "whole", ...KM, hour: 10 },
    ];
    const rows = { activities_hourly: hourly, activities_daily: [] };
    await load("activities_hourly", day, hourly, BEFORE);
    const before = await published(day, rows);
    await load("activities_hourly", day, hourly, AFTER);
    const worlds = seenWorlds([before, await published(day, rows)]);
    expect(worlds).toHaveLength(41_616);
    expect(scoreWorlds(worlds, K)).toEqual({ considered: 155_442, shown: 14_370, recovered: 0 });
  });

  it("of a day of two hours, whose hours are corrected first", async () => {
    const day = "2026-03-02";
    const hourly: readonly RowOfWorlds[] = [
      { devices: "a", ...FIRST_CELL, hour: 10 },
      { devices: "b", ...FIRST_CELL, hour: 11 },
    ];
    const daily: readonly RowOfWorlds[] = [{ devices: "whole", ...FIRST_CELL, hour: 10 }];
    const rows = { activities_hourly: hourly, activities_daily: daily };
    await load("activities_hourly", day, hourly, BEFORE);
    await load("activities_daily", day, daily, BEFORE);
    const before = await published(day, rows);
    await load("activities_hourly", day, hourly, AFTER);
    const between = await published(day, rows);
    await load("activities_daily", day, daily, AFTER);
    const worlds = seenWorlds([before, between, await published(day, rows)]);
    expect(scoreWorlds(worlds, K)).toEqual({ considered: 155_442, shown: 15_799, recovered: 0 });
  });
});
