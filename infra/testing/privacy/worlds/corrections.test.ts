import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SeenWorld, scoreWorlds } from "../../../../scripts/privacy/possible-worlds.ts";
import { loadStatement } from "../../../../shared/publishing/load.ts";
import { ageIntake } from "../../aged-intake.ts";
import { type LoadedRow, type Loads, startLoads } from "../../loads.ts";

const DAY = "2026-03-01";
const [K, STEP, PEOPLE_OF_DEVICE] = [3, 12, 4];
/** Each part has every number of devices below this, before and after the correction. */
const BELOW = 8;
/** The first id of the parts: each world has two, and a whole of its own. */
const PARTS = 1_000_000;

/** A world: the devices of its two parts before and after the correction. */
interface Corrected {
  readonly before: readonly [attacked: number, other: number];
  readonly after: readonly [attacked: number, other: number];
}

/** Returns the worlds by number. The statements that load them read the same digits. */
function worldOf(number: number): Corrected {
  const digit = (index: number): number => Math.floor(number / BELOW ** index) % BELOW;
  return { before: [digit(0), digit(1)], after: [digit(2), digit(3)] };
}

const WORLDS = BELOW ** 4;
const digit = (index: number): string => `MOD(DIV(w, ${BELOW ** index}), ${BELOW})`;
const BEFORE = `${digit(0)} AS a, ${digit(1)} AS b`;
const AFTER = `${digit(2)} AS a, ${digit(3)} AS b`;

/** How the parts and the whole of each world are loaded into a table of facts. */
interface Kind {
  readonly table: string;
  readonly value: string;
  /** The columns of a row, with the value of a cell, and of a whole, by the number of the world `w` and of the part. */
  readonly columns: readonly string[];
  readonly row: LoadedRow;
  readonly part: (index: 0 | 1) => string;
  readonly whole: string;
  /** The devices of a whole, of those of its parts `a` and `b`. */
  readonly together: string;
  readonly id: string;
  readonly type: string;
}

const cellId = (index: 0 | 1): string => `${PARTS} + 2 * w + ${index}`;
const PAIRS: Kind = {
  ...{ table: "odm_daily", value: "trips", together: "a + b", id: "destination_geo_id", type: "destination_geo_type" },
  columns: ["origin_geo_type", "origin_geo_id", "destination_geo_type", "destination_geo_id", "trips"],
  row: {
    ...{ country_code: "EST", batch_date: DAY, origin_geo_type: "grid_250m", origin_geo_id: 7 },
    ...{ destination_geo_type: "grid_250m", destination_geo_id: 8, trips: 4, devices: 1 },
  },
  part: (index) => `"grid_250m", 7, "grid_250m", ${cellId(index)}`,
  whole: '"grid_250m", 7, "grid_1000m", w',
};
const AREAS: Kind = {
  ...{
    table: "activities_hourly",
    value: "people",
    together: "a + b - MOD(w, 2) * LEAST(a, b)",
    id: "geo_id",
    type: "geo_type",
  },
  columns: ["time_bucket", "geo_type", "geo_id", "stays_count", "stays_dwell_minutes", "stays_devices", "people"],
  row: {
    ...{ country_code: "EST", batch_date: DAY, time_bucket: `${DAY} 10:00:00` },
    ...{ geo_type: "grid_250m", geo_id: 8, people: 4, devices: 1 },
  },
  part: (index) => `TIMESTAMP "${DAY} 10:00:00", "grid_250m", ${cellId(index)}, 0, 0, 0`,
  whole: `TIMESTAMP "${DAY} 10:00:00", "grid_1000m", w, 0, 0, 0`,
};

let loads: Loads;

beforeAll(async () => {
  loads = await startLoads();
  const numbers = `UNNEST(GENERATE_ARRAY(0, ${WORLDS - 1})) AS w`;
  const cells = ([0, 1] as const).map((index) => `SELECT "EST", "grid_250m", ${cellId(index)}, 0, w, w, NULL, 0 FROM ${numbers}`);
  // Each km has two cells more, in which nobody is.
  await loads.run(
    `INSERT INTO intake.nesting (country_code, geo_type, geo_id, level, at_1, at_2, at_3, parts)
${[...cells, `SELECT "EST", "grid_1000m", w, 1, w, w, NULL, 4 FROM ${numbers}`].join("\nUNION ALL ")}`,
  );
});

afterAll(() => loads.close());

/** Loads the parts and the whole of every world. */
async function load({ table, columns, row, part, whole, together }: Kind, devices: string): Promise<void> {
  const staged = await loads.stage(table, [row]);
  const countries = staged.countries.map((country) => ({ ...country, k: K, step: STEP }));
  await loads.run(`DELETE FROM \`${staged.staging}\` WHERE TRUE`);
  const rows = [
    [part(0), "a"],
    [part(1), "b"],
    [whole, together],
  ].map(
    ([ends, count]) => `SELECT "EST", DATE "${DAY}", ${ends}, ${PEOPLE_OF_DEVICE} * (${count}), ${count} FROM devices WHERE ${count} > 0`,
  );
  await loads.run(
    `INSERT INTO \`${staged.staging}\` (country_code, batch_date, ${columns.join(", ")}, devices)
WITH devices AS (SELECT w, ${devices} FROM UNNEST(GENERATE_ARRAY(0, ${WORLDS - 1})) AS w)
${rows.join("\nUNION ALL ")}`,
  );
  await loads.run(loadStatement({ ...staged, countries }));
}

const Rows = v.array(v.object({ id: v.number(), type: v.string(), value: v.number() }));

/** Returns the published values of each world: of its parts, and of the whole. */
async function published({ table, value, id, type }: Kind): Promise<ReadonlyMap<number, readonly [number, number, number]>> {
  const rows = v.parse(
    Rows,
    await loads.run(`SELECT ${id} AS id, ${type} AS type, ${value} AS value FROM mobility.${table} WHERE batch_date = "${DAY}"`),
  );
  const values = new Map(rows.map((row) => [row.id, row.value]));
  const of = (key: number): number => values.get(key) ?? 0;
  return new Map(
    Array.from({ length: WORLDS }, (_, world) => [world, [of(PARTS + 2 * world), of(PARTS + 2 * world + 1), of(world)] as const]),
  );
}

describe.each([
  ["pairs and their sums", PAIRS],
  ["cells and their km", AREAS],
])("a day of %s that is corrected after its raw rows have left intake", (_, kind) => {
  const seen = { before: new Map(), fresh: new Map(), after: new Map() } as Record<string, Awaited<ReturnType<typeof published>>>;

  beforeAll(async () => {
    await load(kind, AFTER);
    seen.fresh = await published(kind);
    await loads.run(`DELETE FROM mobility.${kind.table} WHERE batch_date = "${DAY}"`);
    for (const ledger of ["intake.batches", "mobility.batches"]) await loads.run(`DELETE FROM ${ledger} WHERE TRUE`);
    await loads.run(`DELETE FROM intake.${kind.table} WHERE loaded_on > "1970-01-01"`);
    await load(kind, BEFORE);
    seen.before = await published(kind);
    await ageIntake((sql) => loads.run(sql), 15);
    await load(kind, AFTER);
    seen.after = await published(kind);
  });

  /** Every world as one sees it who has these publications, and the sets of the attacked part. */
  function worlds(publications: readonly (keyof typeof seen)[], more: (world: Corrected) => string = () => ""): SeenWorld[] {
    return Array.from({ length: WORLDS }, (_, number) => {
      const world = worldOf(number);
      const [was, is] = [world.before[0], world.after[0]];
      return {
        published: [...publications.map((name) => seen[name]?.get(number)?.join(" ")), more(world)].join("; "),
        sets: [
          { name: "before", count: was },
          { name: "after", count: is },
          { name: "changed", count: Math.abs(is - was) },
        ],
      };
    });
  }

  it("keeps the numbers of parts and takes those of wholes, or the reverse", () => {
    const mixed = [...(seen.after ?? [])].filter(([number, [a, b, whole]]) => {
      const [was, fresh] = [seen.before?.get(number), seen.fresh?.get(number)];
      return was && fresh && a === was[0] && a !== fresh[0] && b !== 0 && whole === fresh[2] && whole !== was[2];
    });
    expect(mixed.length).toBeGreaterThan(10);
  });

  it("tells no more than the old version does together with one that kept no number", () => {
    expect(scoreWorlds(worlds(["before", "fresh", "after"]), K)).toEqual(scoreWorlds(worlds(["before", "fresh"]), K));
  });

  // Not every world of a km is here: its cells could share any number of devices. The other tests of worlds have them all.
  it.runIf(kind === PAIRS)(
    "gives no part away, nor a change of fewer than k devices, to one who sees both versions and knows the rules",
    () => {
      const { considered, recovered } = scoreWorlds(worlds(["before", "after"]), K);
      expect(considered).toBeGreaterThan(3000);
      expect(recovered).toBe(0);
    },
  );

  it("would give hundreds away if wholes were counted from withheld parts", () => {
    const exact = ({ after }: Corrected): string => String(after[0] + after[1]);
    expect(scoreWorlds(worlds(["before", "after"], exact), K).recovered).toBeGreaterThan(100);
  });
});
