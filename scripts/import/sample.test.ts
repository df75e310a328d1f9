import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { type ImportUnderTest, startImportUnderTest } from "./testing/import-under-test.ts";
import { madeFile } from "./testing/made-files.ts";

const sample = (name: string): string => fileURLToPath(new URL(`./sample/${name}`, import.meta.url));

/** A provider's file has its own column names and neither country nor day nor geography type. */
const MAPPING = [
  ["--set", "country_code=USA", "--set", "batch_date=2019-01-07"],
  ["--set", "origin_geo_type=admin_level_4", "--set", "destination_geo_type=admin_level_4"],
  ["--column", "origin_geo_id=geoid_o", "--column", "destination_geo_id=geoid_d"],
  ["--column", "trips=pop_flows", "--column", "devices=visitor_flows"],
].flat();

const TRIPS =
  "SELECT trips, ROUND(general_distance_m / 1000) AS kilometres FROM mobility.odm_daily WHERE batch_date = '2019-01-07' AND origin_geo_id = 6 AND destination_geo_id = 32";

const FLOWS =
  "SELECT origin_geo_id AS `from`, destination_geo_id AS `to`, trips FROM mobility.odm_daily WHERE batch_date = '2019-01-07' ORDER BY 1, 2";

/** Starts a warehouse with the sample, whose country is known only from its file of rules. */
async function withSample(): Promise<ImportUnderTest & { readonly lines: readonly string[] }> {
  const started = await startImportUnderTest();
  onTestFinished(started.close);
  started.setCountries(() => JSON.parse(readFileSync(sample("usa.json"), "utf8")));
  const lines = [
    ...(await started.run("geographies", "--file", sample("states.csv"))),
    ...(await started.run("odm_daily", "--file", sample("weekly_flows.csv"), ...MAPPING)),
  ];
  return { ...started, lines };
}

test("a new country needs only a file of rules, its geographies and a provider's unchanged file; what the provider has protected is published exactly", async () => {
  const { lines, rows } = await withSample();
  expect(lines).toEqual([
    `Reading ${sample("states.csv")} …`,
    "3 rows, 1 batch",
    "Loaded geographies USA: 3 rows, version 1",
    `Reading ${sample("weekly_flows.csv")} …`,
    "9 rows, 1 batch",
    "Loaded odm_daily 2019-01-07 USA: 9 rows, 8 published, version 1",
    "Raw rows stay in intake for 14 days; mobility.odm_daily has what is published of them",
  ]);
  // The flow from 32 to 4 has fewer than k devices.
  const flows = readFileSync(sample("weekly_flows.csv"), "utf8").trimEnd().split("\n").slice(1);
  const told = flows.map((line) => line.split(",")).filter(([from, to]) => `${from} ${to}` !== "32 04");
  expect(await rows(FLOWS)).toEqual(told.map(([from, to, , , trips]) => ({ from: Number(from), to: Number(to), trips: Number(trips) })));
  // From 37° N 120° W to 39° N 117° W along the great circle of a sphere of 6,371,010 m.
  expect(await rows(TRIPS)).toEqual([{ trips: 14_700, kilometres: 344 }]);
});

test("a corrected file replaces its day; a faulty one is rejected with the file's column names", async () => {
  const { run, rows } = await withSample();
  const text = readFileSync(sample("weekly_flows.csv"), "utf8");
  // A change below any step is published: the provider answers for what its counts tell.
  expect(await run("odm_daily", "--file", madeFile("corrected.csv", text.replace("14700.0", "14701.0")), ...MAPPING)).toContain(
    "Loaded odm_daily 2019-01-07 USA: 9 rows, 8 published, version 2",
  );
  const faulty = madeFile("faulty.csv", text.replace("14700.0", "n/a").replace(",790,", ",-790,"));
  await expect(run("odm_daily", "--file", faulty, ...MAPPING)).rejects.toThrow(
    [
      `${faulty} has 2 errors. Nothing was loaded:`,
      '  line 5, column devices (visitor_flows): "-790" is negative',
      '  line 7, column trips (pop_flows): "n/a" is not a whole number',
    ].join("\n"),
  );
  expect(await rows(TRIPS)).toMatchObject([{ trips: 14_701 }]);
});
