import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import * as v from "valibot";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../infra/local/server.ts";
import type { ImportUnderTest } from "./testing/import-under-test.ts";
import { madeCsv } from "./testing/made-files.ts";
import { ACTIVITIES, CELL, startWithPlaces, valuesOf } from "./testing/nested-places.ts";

const row = (at: string, type: string, id: number, devices = 30): string => `EST,${type},${id},${at},${devices * 4},5,150,5,${devices}`;
const hours = (...places: readonly (readonly [string, number])[]): string =>
  madeCsv(ACTIVITIES, ...places.map(([type, id]) => row("2026-03-01T10:00:00Z", type, id)));
const days = (): string =>
  madeCsv(ACTIVITIES, row("2026-02-28T22:00:00Z", "grid_250m", CELL, 45), row("2026-03-01T22:00:00Z", "grid_250m", CELL, 45));
const deleted = (started: ImportUnderTest, ...more: readonly string[]) =>
  started.run("activities_hourly", "--delete", "2026-03-01", "--country", "EST", ...more);
/** Returns the numbers of rows of the day's hours and of the day in a dataset. */
const rowsOf = (started: ImportUnderTest, dataset: "intake" | "mobility") => {
  const ofDay = `batch_date = '2026-03-01'${dataset === "intake" ? " AND loaded_on > '1970-01-01'" : ""}`;
  const counts = ["hourly", "daily"].map((bucket) => `(SELECT COUNT(*) FROM ${dataset}.activities_${bucket} WHERE ${ofDay})`);
  return valuesOf(started, `SELECT ${counts.join(", ")}`);
};

test("a day is deleted with its hours once that is confirmed, and the same files are loads again", async () => {
  const started = await startWithPlaces();
  const [file, daily] = [hours(["grid_250m", CELL], ["admin_level_4", 4]), days()];
  await started.run("activities_hourly", "--file", file);
  await started.run("activities_daily", "--file", daily);
  const lines = ["activities_daily 2026-03-01 EST: 1 published row", "activities_hourly 2026-03-01 EST: 2 published rows"];
  await expect(deleted(started)).rejects.toThrow(
    `These days would be deleted, raw rows and published ones:\n  ${lines.join("\n  ")}\nNothing was deleted. To delete them, repeat the command with --yes`,
  );
  expect(await rowsOf(started, "mobility")).toEqual([[2, 1]]);
  expect(await deleted(started, "--yes")).toEqual([
    ...lines.map((line) => `Deleted ${line}`),
    "They have no rows until they are loaded again, hours before days",
  ]);
  expect([await rowsOf(started, "intake"), await rowsOf(started, "mobility")]).toEqual([[[0, 0]], [[0, 0]]]);
  expect(await deleted(started, "--yes")).toEqual(["Nothing to do: activities_hourly and activities_daily 2026-03-01 EST have no rows"]);
  expect(await started.run("activities_hourly", "--file", file)).toContain(
    "Loaded activities_hourly 2026-03-01 EST: 2 rows, 2 published, version 3",
  );
  expect(await started.run("activities_daily", "--file", daily)).toContain(
    "Loaded activities_daily 2026-03-01 EST: 1 row, 1 published, version 3",
  );
});

test("of two deletions at once one deletes, and the other says who did; the ledgers have one further version", async () => {
  const started = await startWithPlaces();
  await started.run("activities_hourly", "--file", hours(["grid_250m", CELL]));
  const file = join(started.stateDirectory, "ready.json");
  const ready = v.parse(v.looseObject({ bigquery_endpoint: v.string() }), JSON.parse(readFileSync(file, "utf8")));
  let other: Promise<string[]> | undefined;
  // Between the operator's service and BigQuery: the other one deletes whole before the first one's script arrives.
  const between = createServer(async (request, response) => {
    const sent = await text(request);
    if (other === undefined && sent.includes("BEGIN TRANSACTION")) {
      other = deleted(started, "--yes");
      await other;
    }
    const { method = "GET", url = "" } = request;
    const headers = { authorization: request.headers.authorization ?? "", "content-type": "application/json" };
    const passed = await fetch(`${ready.bigquery_endpoint}${url}`, { method, headers, ...(sent === "" ? {} : { body: sent }) });
    response.writeHead(passed.status, { "content-type": "application/json" }).end(await passed.text());
  });
  onTestFinished(() => void between.close());
  writeFileSync(file, JSON.stringify({ ...ready, bigquery_endpoint: `http://127.0.0.1:${await listen(between)}` }));
  expect(await deleted(started, "--yes")).toEqual([
    "Somebody else deleted activities_hourly 2026-03-01 EST meanwhile",
    "They have no rows until they are loaded again, hours before days",
  ]);
  expect(await other).toContain("Deleted activities_hourly 2026-03-01 EST: 1 published row");
  for (const dataset of ["intake", "mobility"])
    expect(await valuesOf(started, `SELECT MAX(version), COUNT(*) FROM ${dataset}.batches WHERE table_name = 'activities_hourly'`)).toEqual(
      [[2, 2]],
    );
});

test("a deleted day takes other geography types, and takes no number over", async () => {
  const started = await startWithPlaces();
  await started.run("activities_hourly", "--file", hours(["grid_250m", CELL], ["admin_level_4", 4]));
  await deleted(started, "--yes");
  const whole = hours(["grid_250m", CELL], ["grid_1000m", CELL], ["admin_level_4", 4]);
  expect(await started.run("activities_hourly", "--file", whole)).toContain(
    "Loaded activities_hourly 2026-03-01 EST: 3 rows, 3 published, version 3",
  );
});

test("days alone are deleted without their hours; those of other days and countries stay", async () => {
  const started = await startWithPlaces();
  await started.run("activities_hourly", "--file", hours(["grid_250m", CELL]));
  await started.run("activities_daily", "--file", days());
  expect(await started.run("activities_daily", "--delete", "2026-03-01", "--country", "EST", "--yes")).toEqual([
    "Deleted activities_daily 2026-03-01 EST: 1 published row",
    "They have no rows until they are loaded again, hours before days",
  ]);
  expect(await rowsOf(started, "mobility")).toEqual([[1, 0]]);
  expect(await started.run("activities_daily", "--delete", "2026-01-01..2026-12-31", "--country", "UTO", "--yes")).toEqual([
    "Nothing to do: activities_daily 2026-01-01 to 2026-12-31 UTO have no rows",
  ]);
  await expect(started.run("activities_daily", "--delete", "2026-01-01..2026-12-31", "--country", "EST")).rejects.toThrow(
    "  activities_daily 2026-03-02 EST: not published yet\n",
  );
});
