import { expect, onTestFinished, test } from "vitest";
import { FACT_TABLES } from "../../shared/products/catalogue.ts";
import type { Load } from "../../shared/publishing/staged-load.ts";
import { keepDaysInStep } from "./days-from-hours.ts";
import { openTarget } from "./target.ts";
import { type ImportUnderTest, startImportUnderTest } from "./testing/import-under-test.ts";
import { madeCsv } from "./testing/made-files.ts";

const ACTIVITIES = "country_code,geo_type,geo_id,time_bucket,people,stays_count,stays_dwell_minutes,stays_devices,devices";
const BATCH = "2026-03-01 EST";
const STAGED = "staging.import_1";

/** A load of a table that already holds the staged rows. */
function loadOf(table: string): Load {
  const countries = [{ code: "EST", k: 5, distance: "none" }] as const;
  const days = { first: "2026-03-01", last: "2026-03-01" };
  const publication = FACT_TABLES.find(({ name }) => name === table)?.publication;
  return {
    table,
    staging: STAGED,
    columns: [],
    replaces: ["country_code", "batch_date"],
    countries,
    days,
    publication,
    levels: [],
    checksum: "a",
  };
}

/** Starts a warehouse with a day of 140 minutes and returns a function that loads one of its hours, of 100 minutes. */
async function warehouse(): Promise<ImportUnderTest & { readonly loadHour: () => Promise<string[]> }> {
  const started = await startImportUnderTest();
  onTestFinished(started.close);
  await started.run("activities_daily", "--file", madeCsv(ACTIVITIES, "EST,admin_level_2,7,2026-02-28T22:00:00Z,100,5,140,5,8"));
  const hour = madeCsv(ACTIVITIES, "EST,admin_level_2,7,2026-03-01T10:00:00Z,100,5,100,5,6");
  await started.rows(`CREATE TABLE ${STAGED} AS SELECT * FROM mobility.activities_daily WHERE batch_date = '2026-03-01'`);
  return { ...started, loadHour: () => started.run("activities_hourly", "--file", hour) };
}

async function watched({ stateDirectory }: ImportUnderTest, table: string): ReturnType<typeof keepDaysInStep> {
  const target = await openTarget({ target: { kind: "local", stateDirectory }, countriesFile: undefined });
  return keepDaysInStep(target, loadOf(table));
}

const MINUTES = "SELECT stays_dwell_minutes AS minutes FROM mobility.activities_daily WHERE batch_date = '2026-03-01'";

test("days loaded while their hours are loaded still match the hours", async () => {
  const started = await warehouse();
  const lines: string[] = [];
  const finish = await watched(started, "activities_daily");
  await started.loadHour();
  await started.rows("UPDATE mobility.activities_daily SET stays_dwell_minutes = 140 WHERE batch_date = '2026-03-01'");
  await finish([BATCH], (line) => lines.push(line));
  expect(await started.rows(MINUTES)).toEqual([{ minutes: 100 }]);
  expect(lines).toEqual([]);
});

test("days that arrive during a load of their hours still match the hours", async () => {
  const started = await warehouse();
  const lines: string[] = [];
  await started.loadHour();
  const finish = await watched(started, "activities_hourly");
  await started.rows("UPDATE mobility.activities_daily SET stays_dwell_minutes = 140 WHERE batch_date = '2026-03-01'");
  await finish([BATCH], (line) => lines.push(line));
  expect(await started.rows(MINUTES)).toEqual([{ minutes: 100 }]);
  expect(lines).toEqual([`mobility.activities_daily ${BATCH}: stays_dwell_minutes recomputed from these hours, version 3`]);
});

test("days that no concurrent load changed stay unchanged", async () => {
  const started = await warehouse();
  await started.loadHour();
  const finish = await watched(started, "activities_daily");
  await finish([BATCH], () => {});
  expect(await started.rows("SELECT MAX(version) AS version FROM mobility.batches WHERE table_name = 'activities_daily'")).toEqual([
    { version: 2 },
  ]);
});
