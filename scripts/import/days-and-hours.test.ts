import { beforeEach, expect, test } from "vitest";
import { ageIntake } from "../../infra/testing/aged-intake.ts";
import type { ImportUnderTest } from "./testing/import-under-test.ts";
import { madeCsv } from "./testing/made-files.ts";
import { ACTIVITIES, CELL, startWithPlaces, valuesOf } from "./testing/nested-places.ts";

const NEXT = CELL + 1000;
const hour = (at: number, id: number, devices: number): string => row(`2026-03-01T${at}:00:00Z`, id, devices);
const day = (id: number, devices: number): string => row("2026-02-28T22:00:00Z", id, devices);
const row = (at: string, id: number, devices: number): string => `EST,grid_250m,${id},${at},${devices * 4},5,150,5,${devices}`;

const HOURS = [hour(10, CELL, 30), hour(11, CELL, 20), hour(11, NEXT, 4), hour(12, NEXT, 4)];
const DAYS = [day(CELL, 45), day(NEXT, 8)];
const DAY = "2026-03-01 EST";
const STAYS = "Raw rows stay in intake for 14 days; mobility.activities_daily has what is published of them";
/** The minutes of a day are those of its told hours. */
const SETTLED = [
  [CELL, 180, 300],
  [NEXT, 40, 0],
];
let files: { readonly hours: string; readonly days: string };

beforeEach(() => {
  files = { hours: madeCsv(ACTIVITIES, ...HOURS), days: madeCsv(ACTIVITIES, ...DAYS) };
});

const publishedDays = (started: ImportUnderTest): Promise<unknown[]> =>
  valuesOf(
    started,
    "SELECT geo_id, people, stays_dwell_minutes FROM mobility.activities_daily WHERE batch_date = '2026-03-01' ORDER BY geo_id",
  );

test("days loaded after their hours are published with them", async () => {
  const started = await startWithPlaces();
  await started.run("activities_hourly", "--file", files.hours);
  expect((await started.run("activities_daily", "--file", files.days)).slice(2)).toEqual([
    `Loaded activities_daily ${DAY}: 2 rows, 2 published, version 1`,
    STAYS,
  ]);
  expect(await publishedDays(started)).toEqual(SETTLED);
});

test("days wait for their hours, and say so; then they are the same as after their hours", async () => {
  const started = await startWithPlaces();
  expect((await started.run("activities_daily", "--file", files.days)).slice(2)).toEqual([
    `Loaded activities_daily ${DAY}: 2 rows, not published yet`,
    `${DAY}: published once activities_hourly of the day is loaded, since a day has its hours as parts`,
    STAYS,
  ]);
  expect(await publishedDays(started)).toEqual([]);
  expect((await started.run("activities_hourly", "--file", files.hours)).slice(2, 4)).toEqual([
    `Loaded activities_hourly ${DAY}: 4 rows, 2 published, version 1`,
    `Published activities_daily ${DAY} with these hours: 2 rows, version 1`,
  ]);
  expect(await publishedDays(started)).toEqual(SETTLED);
  expect((await started.run("activities_daily", "--file", files.days)).at(-1)).toBe("Nothing to do: already loaded, published version 1");
});

test("a file that lacks hours of its day that were loaded before says that they are gone", async () => {
  const started = await startWithPlaces();
  await started.run("activities_hourly", "--file", files.hours);
  const others = madeCsv(ACTIVITIES, hour(11, CELL, 20), hour(13, CELL, 20));
  expect(await started.run("activities_hourly", "--file", others)).toContain(
    `Warning: ${DAY}: 2 hours that were loaded before are not in this file, and gone: a file replaces its days whole, and a day is that of Europe/Tallinn`,
  );
  const whole = madeCsv(ACTIVITIES, hour(11, CELL, 20), hour(13, CELL, 20), hour(14, CELL, 20));
  expect(await started.run("activities_hourly", "--file", whole)).not.toContainEqual(expect.stringContaining("gone"));
});

test("days and hours loaded at once agree", async () => {
  const started = await startWithPlaces();
  await Promise.all([started.run("activities_daily", "--file", files.days), started.run("activities_hourly", "--file", files.hours)]);
  expect(await publishedDays(started)).toEqual(SETTLED);
});

test("a day that has left intake is corrected whole: hours first, which leave the published day, then the day", async () => {
  const started = await startWithPlaces();
  await started.run("activities_hourly", "--file", files.hours);
  await started.run("activities_daily", "--file", files.days);
  await ageIntake(started.rows, 15);
  const corrected = madeCsv(ACTIVITIES, day(CELL, 35), day(NEXT, 8));
  await expect(started.run("activities_daily", "--file", corrected)).rejects.toThrow(
    `The hours of ${DAY} have left intake, where raw rows stay for 14 days. A day is published together with its hours, so a correction brings the whole day: load activities_hourly of these days first, then this file`,
  );
  expect(await started.run("activities_hourly", "--file", files.hours)).toContain(
    `Warning: the rows of activities_daily ${DAY} have left intake, so these days stay as they were published with earlier hours: load activities_daily of them again`,
  );
  expect(await publishedDays(started)).toEqual(SETTLED);
  expect(await started.run("activities_daily", "--file", corrected)).toContain(
    `Loaded activities_daily ${DAY}: 2 rows, 2 published, version 2`,
  );
  expect(await publishedDays(started)).toEqual([
    [CELL, 140, 300],
    [NEXT, 40, 0],
  ]);
});
