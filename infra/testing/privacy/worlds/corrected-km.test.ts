import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SeenWorld, scoreWorlds } from "../../../../scripts/privacy/possible-worlds.ts";
import { loadStatement } from "../../../../shared/publishing/load.ts";
import { type Loads, startLoads } from "../../loads.ts";

const DAY = "2026-03-01";
const [K, STEP, PEOPLE_OF_DEVICE] = [3, 12, 4];
/** The most devices of a cell. They end a step: otherwise a number that some of them have would be told by fewer worlds than there are. */
const MOST = 7;
/** The first id of the cells: each world has two, and a km of its own. */
const CELLS = 1_000_000;

/** The devices of a km, and of the two cells that it consists of. */
type Km = readonly [a: number, b: number, km: number];

const upTo = (most: number, least = 0): number[] => Array.from({ length: most - least + 1 }, (_, index) => least + index);
/** Every km with up to so many devices in each cell, that share some, all or none of them. */
const KMS: readonly Km[] = upTo(MOST).flatMap((a) => upTo(MOST).flatMap((b) => upTo(a + b, Math.max(a, b)).map((km): Km => [a, b, km])));
/** Each world is one km before the correction and one after it. */
const WORLDS = KMS.flatMap((before) => KMS.map((after) => ({ before, after })));

let loads: Loads;

beforeAll(async () => {
  loads = await startLoads();
  await loads.run("CREATE TABLE staging.kms (number INT64, a INT64, b INT64, km INT64)");
  await loads.run(
    `INSERT INTO staging.kms (number, a, b, km) VALUES ${KMS.map((km, number) => `(${[number, ...km].join(", ")})`).join(", ")}`,
  );
  const numbers = `UNNEST(GENERATE_ARRAY(0, ${WORLDS.length - 1})) AS w`;
  await loads.run(`INSERT INTO intake.nesting (country_code, geo_type, geo_id, level, at_1, at_2, at_3, parts)
SELECT "EST", "grid_250m", ${CELLS} + 2 * w, 0, w, w, NULL, 0 FROM ${numbers}
UNION ALL SELECT "EST", "grid_250m", ${CELLS} + 2 * w + 1, 0, w, w, NULL, 0 FROM ${numbers}
UNION ALL SELECT "EST", "grid_1000m", w, 1, w, w, NULL, 2 FROM ${numbers}`);
});

afterAll(() => loads.close());

/** Loads the km of every world, by an expression for its number in `staging.kms`, and returns what is published of each. */
async function load(number: string): Promise<readonly (readonly number[])[]> {
  const row = {
    country_code: "EST",
    batch_date: DAY,
    time_bucket: `${DAY} 10:00:00`,
    geo_type: "grid_250m",
    geo_id: 8,
    people: 4,
    devices: 1,
  };
  const staged = await loads.stage("activities_hourly", [row]);
  const countries = staged.countries.map((country) => ({ ...country, k: K, step: STEP }));
  await loads.run(`DELETE FROM \`${staged.staging}\` WHERE TRUE`);
  const rows = (["a", "b", "km"] as const).map((name, index) => {
    const place = name === "km" ? '"grid_1000m", w' : `"grid_250m", ${CELLS} + 2 * w + ${index}`;
    return `SELECT "EST", DATE "${DAY}", TIMESTAMP "${DAY} 10:00:00", ${place}, 0, 0, 0, ${PEOPLE_OF_DEVICE} * ${name}, ${name} FROM worlds WHERE ${name} > 0`;
  });
  await loads.run(
    `INSERT INTO \`${staged.staging}\` (country_code, batch_date, time_bucket, geo_type, geo_id, stays_count, stays_dwell_minutes, stays_devices, people, devices)
WITH worlds AS (SELECT w, a, b, km FROM UNNEST(GENERATE_ARRAY(0, ${WORLDS.length - 1})) AS w JOIN staging.kms AS kms ON kms.number = ${number})
${rows.join("\nUNION ALL ")}`,
  );
  await loads.run(loadStatement({ ...staged, countries }));
  const Rows = v.array(v.object({ geo_id: v.number(), people: v.number() }));
  const found = v.parse(Rows, await loads.run(`SELECT geo_id, people FROM mobility.activities_hourly WHERE batch_date = "${DAY}"`));
  const people = new Map(found.map((row) => [row.geo_id, row.people]));
  return WORLDS.map((_, w) => [CELLS + 2 * w, CELLS + 2 * w + 1, w].map((id) => people.get(id) ?? 0));
}

/** The sets of a km that an attacker looks for: its rows, and of told ones what they do not have in common. */
function setsOf([a, b, km]: Km, [inA = 0, inB = 0, inKm = 0]: readonly number[], version: string) {
  const sets = [
    { name: "a", count: a },
    { name: "b", count: b },
    { name: "km", count: km },
    ...(inA > 0 && inKm > 0 ? [{ name: "km less a", count: km - a }] : []),
    ...(inB > 0 && inKm > 0 ? [{ name: "km less b", count: km - b }] : []),
    ...(inA > 0 && inB > 0 && inKm > 0 ? [{ name: "in both", count: a + b - km }] : []),
  ];
  return sets.map(({ name, count }) => ({ name: `${name} ${version}`, count }));
}

describe("one who sees a km of two cells before and after a correction, while its raw rows are in intake", () => {
  let worlds: readonly SeenWorld[];

  beforeAll(async () => {
    const seen = { before: await load(`DIV(w, ${KMS.length})`), after: await load(`MOD(w, ${KMS.length})`) };
    worlds = WORLDS.map(({ before, after }, w) => {
      const [was, is] = [seen.before[w] ?? [], seen.after[w] ?? []];
      const changed = ["a", "b", "km"].map((name, index) => ({
        name: `change of ${name}`,
        count: Math.abs((after[index] ?? 0) - (before[index] ?? 0)),
      }));
      return { published: `${was} ${is}`, sets: [...setsOf(before, was, "before"), ...setsOf(after, is, "after"), ...changed] };
    });
  });

  it("recovers no set of 1 to k - 1 devices: the numbers of a km stay where those of its cells change", () => {
    const { considered, shown, recovered } = scoreWorlds(worlds, K);
    expect({ considered, shown, recovered }).toEqual({ considered: 155_442, shown: 14_370, recovered: 0 });
  });
});
