import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../testing/engines/warehouse-under-test.ts";
import { hiddenRow, knowledgeOf, narrow } from "../../testing/privacy/bounds.ts";
import { attackLevels } from "../../testing/privacy/level-attack.ts";
import { makeTables } from "../tables.ts";
import { generateSample } from "./generate.ts";
import { SAMPLE_COUNTRIES } from "./rules.ts";

/**
 * The options of the numbers in `infra/warehouse/privacy.md`: the sample that `./scripts/start` makes on this day, from three days before.
 */
const OPTIONS = { seed: 1, scale: 1, now: new Date("2026-11-21T13:20:00Z"), days: 3 };
/** The threshold of a row's country. */
const K = `CASE country_code ${SAMPLE_COUNTRIES.map(({ code, k }) => `WHEN '${code}' THEN ${k}`).join(" ")} END`;

let warehouse: WarehouseUnderTest;
let query: (sql: string) => Promise<unknown[][]>;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
  const connection = await warehouse.connection();
  await generateSample(connection, OPTIONS);
  query = async (sql) => (await connection.runAndReadAll(sql)).getRowsJson();
});

afterAll(() => warehouse.close());

/** The finest geographies of each country, with the places around them. */
const NESTING = `(SELECT g.country_code, g.geo_type, g.geo_id, a.geo_id AS l4, a.parent_id AS l2,
    g.geo_id - g.geo_id // 10000000 % 1000 * 10000000 - g.geo_id % 10000000 % 1000 AS km
  FROM mobility.geographies AS g
  JOIN mobility.geographies AS a ON a.country_code = g.country_code AND a.geo_type = 'admin_level_4' AND a.geo_id = g.parent_id
  WHERE g.geo_type = CASE g.country_code WHEN 'EST' THEN 'grid_1000m' ELSE 'grid_250m' END)`;
const BUCKET = "country_code || ' ' || epoch(time_bucket)::BIGINT || ' '";

const FINEST = "CASE country_code WHEN 'EST' THEN 'grid_1000m' ELSE 'grid_250m' END";

describe("withheld hours of people at the finest level, attacked with the levels around them", () => {
  const Finest = v.array(v.tuple([v.number(), v.number(), v.array(v.string())]));
  const Coarser = v.array(v.tuple([v.string(), v.string(), v.number(), v.number()]));
  const levels = async () => {
    const around = ["grid_1000m ' || km", "admin_level_4 ' || l4", "admin_level_2 ' || l2"].map((place) => `${BUCKET} || '${place}`);
    const finest = v.parse(
      Finest,
      await query(`SELECT devices::INTEGER, ${K}, [${around.join(", ")}]
        FROM mobility.activities_hourly JOIN ${NESTING} USING (country_code, geo_type, geo_id)`),
    );
    const coarser = v.parse(
      Coarser,
      await query(`SELECT ${BUCKET} || geo_type || ' ' || geo_id, geo_type, devices::INTEGER, ${K}
        FROM mobility.activities_hourly WHERE geo_type <> ${FINEST}`),
    );
    return {
      finest: finest.map(([devices, k, names]) => ({ devices, k, around: names })),
      coarser: coarser.map(([name, level, devices, k]) => ({ name, level, devices, k })),
    };
  };
  let rows: Awaited<ReturnType<typeof levels>>;
  beforeAll(async () => {
    rows = await levels();
  });

  it.each([
    ["a coarser row is never withheld", "never", 0, 3780, [84, 85, 100]],
    // A missing row reveals that its hidden parts have fewer than k devices together. If there are k - 1 parts, each has one device.
    ["a coarser row is withheld if its hidden parts have fewer than k devices (the rule in use)", "devices", 124, 6722, [81, 63, 59]],
    ["a coarser row is withheld if fewer than k of its parts are hidden", "parts", 0, 5, [78, 58, 51]],
  ] as const)("%s", (_what, rule, exact, narrowed, [km, area, county]) => {
    const percentPublished = { grid_1000m: km, admin_level_4: area, admin_level_2: county };
    expect(attackLevels(rows.finest, rows.coarser, rule)).toEqual({ withheld: 22227, exact, narrowed, wrong: 0, percentPublished });
  });
});

/** Rows with a bound, the country's threshold, and the names and devices of the withheld rows that the bound limits. */
const Bounded = v.array(v.tuple([v.number(), v.number(), v.array(v.string()), v.array(v.number())]));

/** Returns what sums reveal about withheld rows. A row may be in several sums. */
function known(bounds: v.InferOutput<typeof Bounded>, end: "least" | "most") {
  const rows = new Map<string, ReturnType<typeof hiddenRow>>();
  const sums = bounds.map(([bound, k, names, devices]) => {
    const parts = names.map((name, index) => {
      const row = rows.get(name) ?? hiddenRow(devices[index] ?? Number.NaN, k);
      rows.set(name, row);
      return row;
    });
    return { parts, least: 0, most: Number.POSITIVE_INFINITY, [end]: bound };
  });
  narrow(sums);
  return knowledgeOf([...rows.values()]);
}

const HIDDEN = "list(name ORDER BY name) FILTER (few) AS names, list(devices::INTEGER ORDER BY name) FILTER (few) AS hidden";
const SHOWN = "coalesce(sum(devices) FILTER (NOT few), 0)";

describe("withheld hours of people", () => {
  it("are not revealed by the day: people come back, so a day has fewer people than its published hours together", async () => {
    const days = await query(`SELECT (day.devices - shown)::INTEGER, ${K}, names, hidden FROM (
        SELECT country_code, geo_type, geo_id, batch_date, ${SHOWN} AS shown, ${HIDDEN}
        FROM (SELECT *, devices < ${K} AS few, ${BUCKET} || geo_id AS name FROM mobility.activities_hourly WHERE geo_type = ${FINEST}) GROUP BY ALL)
      JOIN mobility.activities_daily AS day USING (country_code, geo_type, geo_id, batch_date) WHERE publishable AND names IS NOT NULL`);
    expect(known(v.parse(Bounded, days), "least")).toEqual({ withheld: 13883, exact: 0, narrowed: 0, wrong: 0 });
  });
});

describe("withheld cells of a tick", () => {
  it("are limited by the hour around it: it has at least the devices of each moment, also for one who knows which cells have devices", async () => {
    const ticks = `SELECT country_code, tick, geo_type, geo_id, devices, devices < ${K} AS few, country_code || ' ' || epoch(tick)::BIGINT || ' ' || cell_id AS name
      FROM mobility.presence JOIN mobility.geography_cells USING (country_code, cell_id) WHERE geo_type IN ('grid_250m', 'grid_1000m')`;
    const hours = await query(`SELECT CASE WHEN publishable THEN hour.devices - shown ELSE ${K} - 1 END::INTEGER, ${K}, names, hidden FROM (
        SELECT country_code, geo_type, geo_id, tick, ${SHOWN} AS shown, ${HIDDEN} FROM (${ticks}) GROUP BY ALL)
      JOIN mobility.activities_hourly AS hour USING (country_code, geo_type, geo_id)
      WHERE time_bucket = date_trunc('hour', tick) AND (publishable OR geo_type = ${FINEST}) AND names IS NOT NULL`);
    expect(known(v.parse(Bounded, hours), "most")).toEqual({ withheld: 2653, exact: 0, narrowed: 29, wrong: 0 });
  });
});
