import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../testing/engines/warehouse-under-test.ts";
import { makeTables } from "../tables.ts";
import { generateSample } from "./generate.ts";
import { SAMPLE_COUNTRIES } from "./rules.ts";
import { topUpSample } from "./top-up.ts";

const SIZE = { seed: 7, scale: 0.1, days: 4 };
const FACTS = ["activities_hourly", "activities_daily", "odm_daily", "flows_hourly"];
const THEN = new Date("2026-10-26T13:20:00Z");
const LATER = new Date("2026-10-28T09:40:00Z");
/** No stays, or a step of them, k devices. */
const STAYS_STEPS = [0, ...SAMPLE_COUNTRIES.map(({ k }) => k)];

/** Has a folder for each test, and the data that they start from: the sample as its first start makes it. */
let root: string;
let warehouse: WarehouseUnderTest;
let connection: DuckDBConnection;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "populus-top-up-"));
  const first = await startWarehouseUnderTest({ dataDirectory: join(root, "first") });
  await makeTables(first);
  const filling = await first.connection();
  await topUpSample(filling, { ...SIZE, now: THEN });
  filling.closeSync();
  await first.close();
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeEach(async () => {
  const dataDirectory = mkdtempSync(join(root, "test-"));
  cpSync(join(root, "first"), dataDirectory, { recursive: true });
  warehouse = await startWarehouseUnderTest({ dataDirectory });
  connection = await warehouse.connection();
});

afterEach(async () => {
  connection.closeSync();
  await warehouse.close();
});

async function rows(sql: string, on = connection): Promise<unknown[][]> {
  return (await on.runAndReadAll(sql)).getRowsJson();
}

/** Returns, for each fact table, country and day, the number of rows and a sum of hashes that includes every value. */
async function facts(on = connection): Promise<unknown[][]> {
  const sums = FACTS.map(
    (table) =>
      `SELECT '${table}' AS name, country_code, batch_date::VARCHAR, count(*)::INTEGER, sum(hash(facts::VARCHAR) >> 20)::VARCHAR FROM mobility.${table} AS facts GROUP BY ALL`,
  );
  return rows(`${sums.join(" UNION ALL ")} ORDER BY ALL`, on);
}

/** Returns the rows of a day of Activities: what names them and must be the same in two publications, and the stays, which stay within a step. */
async function dayOf(day: string, on = connection): Promise<{ readonly same: string; readonly stays: number }[]> {
  const found = await rows(
    `SELECT concat_ws(' ', country_code, geo_type, geo_id, people, stays_dwell_minutes), stays_count::INTEGER
    FROM mobility.activities_daily WHERE batch_date = '${day}' ORDER BY country_code, geo_type, geo_id`,
    on,
  );
  return found.map(([same, stays]) => ({ same: String(same), stays: Number(stays) }));
}

describe("a sample that is topped up", () => {
  it("has the days, the hours of today and the ticks that a new one would have, and keeps its older days", async () => {
    const old = await facts();
    await topUpSample(connection, { ...SIZE, now: LATER });
    const fresh = await startWarehouseUnderTest();
    await makeTables(fresh);
    const other = await fresh.connection();
    await generateSample(other, { ...SIZE, now: LATER });
    const ofWindow = await facts(other);
    const kept = await facts();
    expect(ofWindow.length).toBeGreaterThan(40);
    // The day that was not over was published before, with the hours that it had: a number of stays that is within a step of that is not changed.
    const isStanding = ([name, , day]: unknown[]): boolean => name === "activities_daily" && day === "2026-10-26";
    const inWindow = kept.filter(([, , day]) => String(day) >= "2026-10-24");
    expect(inWindow.filter((of) => !isStanding(of))).toEqual(ofWindow.filter((of) => !isStanding(of)));
    const [standing, anew] = [await dayOf("2026-10-26"), await dayOf("2026-10-26", other)];
    expect(standing.map(({ same }) => same)).toEqual(anew.map(({ same }) => same));
    const differences = standing.map(({ stays }, index) => Math.abs(stays - (anew[index]?.stays ?? 0)));
    expect(differences.some((stays) => stays > 0)).toBe(true);
    for (const stays of differences) expect(STAYS_STEPS).toContain(stays);
    const older = old.filter(([, , day]) => String(day) < "2026-10-24");
    expect(older.length).toBeGreaterThan(0);
    expect(kept.filter(([, , day]) => String(day) < "2026-10-24")).toEqual(older);
    const newTicks =
      "SELECT country_code, tick::VARCHAR, count(*)::INTEGER FROM intake.presence WHERE tick > '2026-10-27' GROUP BY ALL ORDER BY ALL";
    expect(await rows(newTicks)).toEqual(await rows(newTicks, other));
    await fresh.close();
  });

  it("has version 1 of each new day in the ledger and one more version of the day that was not over", async () => {
    await topUpSample(connection, { ...SIZE, now: LATER });
    const versions = `SELECT table_name, batch_date::VARCHAR, max(version)::INTEGER FROM mobility.batches
      WHERE country_code = 'EST' AND table_name IN ('flows_hourly', 'odm_daily') AND batch_date >= '2026-10-25' GROUP BY ALL ORDER BY ALL`;
    expect(await rows(versions)).toEqual([
      ["flows_hourly", "2026-10-25", 1],
      ["flows_hourly", "2026-10-26", 2],
      ["flows_hourly", "2026-10-27", 1],
      ["flows_hourly", "2026-10-28", 1],
      ["odm_daily", "2026-10-25", 1],
      ["odm_daily", "2026-10-26", 1],
      ["odm_daily", "2026-10-27", 1],
    ]);
    const counts = `SELECT count(*)::INTEGER FROM mobility.batches AS ledger JOIN (SELECT country_code, batch_date, count(*) AS n FROM mobility.flows_hourly GROUP BY ALL) AS facts
      USING (country_code, batch_date) WHERE table_name = 'flows_hourly' AND ledger.row_count <> n AND version = (SELECT max(version) FROM mobility.batches AS b
      WHERE b.country_code = ledger.country_code AND b.table_name = 'flows_hourly' AND b.batch_date = ledger.batch_date)`;
    expect(await rows(counts)).toEqual([[0]]);
  });

  it("changes nothing when nothing is missing", async () => {
    const before = [await facts(), await rows("SELECT count(*)::INTEGER FROM mobility.batches")];
    await topUpSample(connection, { ...SIZE, now: new Date(THEN.getTime() + 60_000) });
    expect([await facts(), await rows("SELECT count(*)::INTEGER FROM mobility.batches")]).toEqual(before);
  });

  it("adds what is missing after the service is killed while it makes the sample", async () => {
    const whole = await facts();
    // Loads run one after another. These are the last ones.
    for (const table of ["odm_daily", "flows_hourly", "presence"])
      for (const of of [`intake.${table}`, table === "presence" ? "realtime.presence" : `mobility.${table}`])
        await connection.run(`DELETE FROM ${of}`);
    for (const dataset of ["intake", "mobility"])
      await connection.run(`DELETE FROM ${dataset}.batches WHERE table_name IN ('odm_daily', 'flows_hourly', 'presence')`);
    await topUpSample(connection, { ...SIZE, now: THEN });
    expect(await facts()).toEqual(whole);
    expect(await rows("SELECT max(version)::INTEGER, count(DISTINCT table_name)::INTEGER FROM mobility.batches")).toEqual([[1, 9]]);
  });

  it("keeps imported rows on a new day, in place of today's rows, and in place of a tick", async () => {
    // Imitates an import: replaces the day's rows and adds a version with another checksum.
    for (const [day, version] of [
      ["2026-10-26", 2],
      ["2026-10-27", 1],
    ] as const)
      for (const statement of [
        `DELETE FROM mobility.flows_hourly WHERE country_code = 'EST' AND batch_date = '${day}'`,
        `INSERT INTO mobility.flows_hourly (country_code, link_id, time_bucket, direction, people, batch_date)
        VALUES ('EST', 1, '${day}T08:00:00Z', 1, 20, '${day}')`,
        `INSERT INTO mobility.batches (country_code, table_name, batch_date, version, row_count, loaded_at)
        VALUES ('EST', 'flows_hourly', '${day}', ${version}, 1, '${day}T09:00:00Z')`,
        `INSERT INTO intake.batches (country_code, table_name, batch_date, version, row_count, checksum, loaded_at)
        VALUES ('EST', 'flows_hourly', '${day}', ${version}, 1, 'imported', '${day}T09:00:00Z')`,
      ])
        await connection.run(statement);
    await connection.run(`INSERT INTO intake.batches (country_code, table_name, tick, version, row_count, checksum, loaded_at)
      VALUES ('EST', 'presence', '2026-10-28T09:35:00Z', 1, 0, 'imported', '2026-10-28T09:35:00Z')`);
    await topUpSample(connection, { ...SIZE, now: LATER });
    const days =
      "SELECT batch_date::VARCHAR, count(*)::INTEGER FROM mobility.flows_hourly WHERE country_code = 'EST' AND batch_date IN ('2026-10-26', '2026-10-27') GROUP BY ALL ORDER BY ALL";
    expect(await rows(days)).toEqual([
      ["2026-10-26", 1],
      ["2026-10-27", 1],
    ]);
    const tick = "SELECT country_code, count(*) > 0 FROM intake.presence WHERE tick = '2026-10-28T09:35:00Z' GROUP BY ALL ORDER BY ALL";
    expect(await rows(tick)).toEqual([
      ["LAT", true],
      ["NOR", true],
    ]);
  });
});
