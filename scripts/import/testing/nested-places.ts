import { onTestFinished } from "vitest";
import { type ImportUnderTest, startImportUnderTest } from "./import-under-test.ts";
import { madeCsv } from "./made-files.ts";

/** The id of a 1 km cell of Estonia, and of the 250 m cell in its corner. */
export const CELL = 51520004124000;
/** Two 1 km cells in area 4, one in area 5, both areas in county 2; two 250 m cells of the first cell, and one of the second. */
export const PLACES: readonly string[] = [
  ...[`EST,grid_250m,${CELL},a,4,25,59`, `EST,grid_250m,${CELL + 7500000250},b,4,25,59`, `EST,grid_250m,${CELL + 1000},c,4,25,59`],
  ...[`EST,grid_1000m,${CELL},A,4,25,59`, `EST,grid_1000m,${CELL + 1000},B,4,25,59`, `EST,grid_1000m,${CELL + 2000},C,5,25,59`],
  ...["EST,admin_level_4,4,Area,2,25,59", "EST,admin_level_4,5,Other area,2,25,59", "EST,admin_level_2,2,County,,25,59"],
];

export const ACTIVITIES = "country_code,geo_type,geo_id,time_bucket,people,stays_count,stays_dwell_minutes,stays_devices,devices";

/** Writes a file of geographies and returns its path. */
export function geographiesFile(places: readonly string[]): string {
  return madeCsv("country_code,geo_type,geo_id,geo_name,parent_id,lon,lat", ...places);
}

/** Starts a warehouse with geographies, until the test ends. */
export async function startWithPlaces(places: readonly string[] = PLACES): Promise<ImportUnderTest> {
  const started = await startImportUnderTest();
  onTestFinished(started.close);
  await started.run("geographies", "--file", geographiesFile(places));
  return started;
}

/** Returns the values of each row of a query, in the order of its columns. */
export async function valuesOf({ rows }: ImportUnderTest, sql: string): Promise<unknown[]> {
  return (await rows(sql)).map((row) => Object.values(Object(row)));
}
