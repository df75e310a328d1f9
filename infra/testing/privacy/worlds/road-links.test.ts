import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SeenWorld, scoreWorlds } from "../../../../scripts/privacy/possible-worlds.ts";
import { clientQuery } from "../../../../shared/google/bigquery.ts";
import { FACT_TABLES } from "../../../../shared/products/catalogue.ts";
import { loadParameters } from "../../../../shared/publishing/batches.ts";
import { publishedPairs } from "../../../../shared/publishing/publish-pairs.ts";
import { makeTables } from "../../../local/tables.ts";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

const [K, STEP, PEOPLE_OF_DEVICE] = [3, 12, 4];
/** The most devices of a link. They end a step. */
const MOST = 7;
const DAY = "2026-03-01";

/** The mean speeds that a link can have: whole ones of so many km/h and more. */
const [SLOWEST, SPEEDS] = [50, 11];
const BASES = [MOST + 1, MOST + 1, SPEEDS, SPEEDS] as const;

/** The digits of a world: the devices that set out from each of the two road links of a cell, and their mean speeds. Nobody sets out elsewhere in it. */
const digit = (index: number): string =>
  `MOD(DIV(w, ${BASES.slice(0, index).reduce((product, base) => product * base, 1)}), ${BASES[index]})`;
const WORLDS = BASES.reduce((product, base) => product * base, 1);
const devicesOf = (world: number) => [world % BASES[0], Math.floor(world / BASES[0]) % BASES[1]] as const;

let warehouse: WarehouseUnderTest;

async function run(sql: string, parameters = {}): Promise<unknown> {
  const [rows] = await warehouse.client.query({ ...clientQuery({ sql, parameters }), wrapIntegers: false });
  return rows;
}

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
  const columns = "origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, devices, average_speed_kmh";
  const row = (type: string, id: string, devices: string, kmh: string): string =>
    `SELECT "EST", DATE "${DAY}", DATE "${DAY}", "${type}", ${id}, "grid_250m", 9999, ${PEOPLE_OF_DEVICE} * (${devices}), ${devices}, ${kmh}
FROM worlds WHERE ${devices} > 0`;
  await run(`INSERT INTO intake.odm_daily (country_code, batch_date, loaded_on, ${columns})
WITH worlds AS (
  SELECT w, ${digit(0)} AS a, ${digit(1)} AS b, ${SLOWEST} + ${digit(2)} AS kmh_a, ${SLOWEST} + ${digit(3)} AS kmh_b
  FROM UNNEST(GENERATE_ARRAY(0, ${WORLDS - 1})) AS w
)
${[
  row("grid_250m", "w", "a + b", "(a * kmh_a + b * kmh_b) / (a + b)"),
  row("osm_links", "2 * w", "a", "kmh_a"),
  row("osm_links", "2 * w + 1", "b", "kmh_b"),
].join("\nUNION ALL ")}`);
});

afterAll(() => warehouse.close());

const Rows = v.array(v.object({ type: v.string(), id: v.number(), trips: v.number(), speed: v.nullable(v.number()) }));

/** Scores one who sees the trips of each cell and of its links, and knows that these are the same trips. */
async function score(step: number, hasSpeed = false) {
  const country = { code: "EST", k: K, step, peopleOfDevice: PEOPLE_OF_DEVICE, finestType: "grid_250m", isProtected: false } as const;
  const countries = [{ ...country, distance: "none" } as const];
  const table = FACT_TABLES.find(({ name }) => name === "odm_daily");
  if (!table) throw new Error("there is no table odm_daily");
  const query = publishedPairs({ table, countries, batches: (alias) => `${alias}.loaded_on = "${DAY}"` });
  const sql = `SELECT origin_geo_type AS type, origin_geo_id AS id, trips, average_speed_kmh AS speed FROM (${query})`;
  const used = new Set(sql.match(/(?<=@)\w+/g));
  const parameters = Object.entries(loadParameters({ table: "odm_daily", countries, days: undefined, checksum: "" }));
  const rows = v.parse(Rows, await run(sql, Object.fromEntries(parameters.filter(([name]) => used.has(name)))));
  const told = new Map(rows.map(({ type, id, ...values }) => [`${type} ${id}`, values]));
  const worlds = Array.from({ length: WORLDS }, (_, world): SeenWorld => {
    const [one, other] = devicesOf(world);
    const seen = [`grid_250m ${world}`, `osm_links ${2 * world}`, `osm_links ${2 * world + 1}`].map((name) => told.get(name));
    return {
      published: seen.map((row) => (row ? `${row.trips} ${hasSpeed ? row.speed : ""}` : "")).join("; "),
      sets: [
        { name: "one link", count: one },
        { name: "other link", count: other },
      ],
    };
  });
  return scoreWorlds(worlds, K);
}

/** Of each number of devices, all speeds. */
const times = (worlds: number): number => worlds * SPEEDS ** 2;

// The exception that `infra/warehouse/privacy.md` states. All 26 are the links whose cell is told.
describe("one who knows that trips from a cell are those from its two road links", () => {
  it("recovers half of the withheld links of trips that are published to the nearest step", async () => {
    expect(await score(STEP)).toEqual({ considered: times(32), shown: times(18), recovered: times(18) });
  });

  it("recovers no more by speeds: links have none, and that of the cell is whole", async () => {
    expect(await score(STEP, true)).toEqual(await score(STEP));
  });

  it("recovers all links of told cells of exact trips, which country rules therefore cannot have", async () => {
    expect(await score(1)).toEqual({ considered: times(32), shown: times(26), recovered: times(26) });
  });
});
