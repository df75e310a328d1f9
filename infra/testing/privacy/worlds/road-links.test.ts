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

/** The devices that set out from each of the two road links of a cell. Nobody sets out elsewhere in it, and nobody twice. */
const WORLDS = Array.from({ length: (MOST + 1) ** 2 }, (_, world) => [Math.floor(world / (MOST + 1)), world % (MOST + 1)] as const);

let warehouse: WarehouseUnderTest;

async function run(sql: string, parameters = {}): Promise<unknown> {
  const [rows] = await warehouse.client.query({ ...clientQuery({ sql, parameters }), wrapIntegers: false });
  return rows;
}

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
  const rows = WORLDS.flatMap(([one, other], world) =>
    [
      ["grid_250m", world, one + other, (40 * one + 60 * other) / (one + other)] as const,
      ["osm_links", 2 * world, one, 40] as const,
      ["osm_links", 2 * world + 1, other, 60] as const,
    ].flatMap(([type, id, devices, speed]) =>
      devices === 0
        ? []
        : [`("EST", "${DAY}", "${type}", ${id}, "grid_250m", 9999, ${devices * PEOPLE_OF_DEVICE}, ${devices}, ${speed}, "${DAY}")`],
    ),
  );
  await run(`INSERT INTO intake.odm_daily (country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id,
    trips, devices, average_speed_kmh, loaded_on) VALUES ${rows.join(", ")}`);
});

afterAll(() => warehouse.close());

const Rows = v.array(v.object({ type: v.string(), id: v.number(), trips: v.number(), speed: v.number() }));

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
  const worlds = WORLDS.map(([one, other], world): SeenWorld => {
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

// The exception that `infra/warehouse/privacy.md` states. All 26 are the links whose cell is told.
describe("one who knows that trips from a cell are those from its two road links", () => {
  it("recovers half of the withheld links of trips that are published to the nearest step", async () => {
    expect(await score(STEP)).toEqual({ considered: 32, shown: 18, recovered: 18 });
  });

  it("recovers all links of told cells by exact speeds", async () => {
    expect(await score(STEP, true)).toEqual({ considered: 32, shown: 26, recovered: 26 });
  });

  it("recovers all links of told cells of exact trips, which country rules therefore cannot have", async () => {
    expect(await score(1)).toEqual({ considered: 32, shown: 26, recovered: 26 });
  });
});
