import { expect, test } from "vitest";
import { ageIntake } from "../../infra/testing/aged-intake.ts";
import type { ImportUnderTest } from "./testing/import-under-test.ts";
import { madeCsv } from "./testing/made-files.ts";
import { ACTIVITIES, CELL, startWithPlaces, valuesOf } from "./testing/nested-places.ts";

const DAY = "2026-03-01 EST";
const KILOMETRE = `grid_1000m,${CELL}`;
const [CELLS, AREA, COUNTY] = [`grid_250m,${CELL}`, "admin_level_4,4", "admin_level_2,2"];
const ADVICE =
  "Coarser rows are published by them, and two numbers of one area by other parts could tell of few people. Load the types of before, or delete the day first and load it with all its types: npm run import -- activities_hourly --delete 2026-03-01 --country EST";

/** Writes a file of an hour's rows, each of 30 devices. */
const hourOf = (...places: readonly string[]): string =>
  madeCsv(ACTIVITIES, ...places.map((place) => `EST,${place},2026-03-01T10:00:00Z,120,5,150,5,30`));
const publishedTypes = (started: ImportUnderTest): Promise<unknown[]> =>
  valuesOf(started, "SELECT geo_type FROM mobility.activities_hourly WHERE batch_date = '2026-03-01' ORDER BY geo_type");
const load = (started: ImportUnderTest, file: string) => started.run("activities_hourly", "--file", file);

test("a type between published ones is refused when it comes later, also after the raw rows have left intake", async () => {
  const started = await startWithPlaces();
  await load(started, hourOf(CELLS, AREA));
  const message = `${DAY} is published without rows of grid_1000m, which this file has\n${ADVICE}`;
  await expect(load(started, hourOf(CELLS, KILOMETRE, AREA))).rejects.toThrow(message);
  await ageIntake(started.rows, 15);
  await expect(load(started, hourOf(CELLS, KILOMETRE, AREA))).rejects.toThrow(message);
  expect(await publishedTypes(started)).toEqual([["admin_level_4"], ["grid_250m"]]);
  expect(await load(started, hourOf(CELLS, AREA))).toContain(`Loaded activities_hourly ${DAY}: 2 rows, 2 published as before, version 1`);
});

test("a type between published ones is refused when it no longer comes", async () => {
  const started = await startWithPlaces();
  await load(started, hourOf(CELLS, KILOMETRE, AREA));
  const message = `${DAY} is published with rows of grid_1000m, which this file does not have\n${ADVICE}`;
  await expect(load(started, hourOf(CELLS, AREA))).rejects.toThrow(message);
});

test("a type that is coarser than all published ones may come later: no published row has it as a part", async () => {
  const started = await startWithPlaces();
  await load(started, hourOf(CELLS, KILOMETRE));
  expect(await load(started, hourOf(CELLS, KILOMETRE, AREA, COUNTY))).toContain(
    `Loaded activities_hourly ${DAY}: 4 rows, 4 published, version 2`,
  );
});

test("coarser types may no longer come: no number is made of other parts", async () => {
  const started = await startWithPlaces();
  await load(started, hourOf(CELLS, KILOMETRE, AREA));
  expect(await load(started, hourOf(CELLS))).toContain(`Loaded activities_hourly ${DAY}: 1 row, 1 published, version 2`);
});

test("a strict country, which publishes no hours of its finest type, may load a day again after its rows have left intake", async () => {
  const started = await startWithPlaces();
  started.setCountries(({ EST, ...others }) => ({ ...others, EST: { ...EST, profile: "strict" } }));
  await load(started, hourOf(CELLS, KILOMETRE, AREA));
  expect(await publishedTypes(started)).toEqual([["admin_level_4"], ["grid_1000m"]]);
  await ageIntake(started.rows, 15);
  expect(await load(started, hourOf(CELLS, KILOMETRE, AREA))).toContain(
    `Loaded activities_hourly ${DAY}: 3 rows, 2 published as before, version 1`,
  );
});

test("counts that their provider has protected have no such rule", async () => {
  const started = await startWithPlaces();
  started.setCountries(({ EST: { people_per_device: _, ...EST }, ...others }) => ({ ...others, EST: { ...EST, protected: true } }));
  await load(started, hourOf(CELLS, AREA));
  expect(await load(started, hourOf(CELLS, KILOMETRE, AREA))).toContain(`Loaded activities_hourly ${DAY}: 3 rows, 3 published, version 2`);
});
