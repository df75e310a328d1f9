import { describe, expect, test } from "vitest";
import { inProject } from "../project-folder.ts";
import { parseArguments, USAGE } from "./arguments.ts";

describe("a command line", () => {
  test("accepts the table with or without its dataset", () => {
    expect(parseArguments(["odm_daily", "--file", "f.csv"])?.table.name).toBe("odm_daily");
    expect(parseArguments(["mobility.odm_daily", "--file", "f.csv"])?.table.name).toBe("odm_daily");
    expect(parseArguments(["intake.odm_daily", "--file", "f.csv"])?.table.name).toBe("odm_daily");
  });

  test("accepts columns and constants in any order; a value may contain an equals sign", () => {
    const request = parseArguments(["geographies", "--set", "geo_name=a=b", "--file", "f.csv", "--column", "geo_id=id"]);
    const given = [
      { kind: "column", column: "geo_id", source: "id" },
      { kind: "set", column: "geo_name", value: "a=b" },
    ];
    expect(request).toMatchObject({ kind: "file", given });
  });

  test("targets the local service in .local, in another folder, or a cloud project", () => {
    expect(parseArguments(["odm_daily", "--file", "f"])?.target).toEqual({ kind: "local", stateDirectory: inProject(".local") });
    expect(parseArguments(["odm_daily", "--file", "f", "--state", "other"])?.target).toEqual({ kind: "local", stateDirectory: "other" });
    const cloud = parseArguments(["odm_daily", "--file", "f", "--project", "populus-dev"]);
    expect(cloud?.target).toEqual({ kind: "project", project: "populus-dev", location: "europe-north1" });
  });

  test("names the days of a backfill, its countries and how many days are loaded at once", () => {
    const request = parseArguments(["odm_daily", "--backfill", "2024-02-28..2024-03-01", "--country", "EST", "--country", "LAT"]);
    const days = ["2024-02-28", "2024-02-29", "2024-03-01"];
    expect(request).toMatchObject({ kind: "backfill", days, countries: ["EST", "LAT"], parallel: 4 });
  });

  test.each([
    [["--backfill", "2024-03", "--country", "EST"], "must be a day or FIRST..LAST"],
    [["--backfill", "2024-02-30", "--country", "EST"], "must be a day or FIRST..LAST"],
    [["--backfill", "2024-03-02..2024-03-01", "--country", "EST"], "must be a day or FIRST..LAST"],
    [["--backfill", "2024-03-01..2024-03-02"], "Which country?"],
    [["--backfill", "2020-01-01..2024-03-02", "--country", "EST"], "more than the 1500 loads"],
    [["--backfill", "2024-03-01..2024-03-02", "--country", "EST", "--parallel", "21"], "from 1 to 20"],
    [["--backfill", "2024-03-01..2024-03-02", "--country", "EST", "--file", "f"], "without --file"],
    [["--backfill", "2024-03-01", "--country", "EST", "--yes"], "without --file"],
    [["--file", "f", "--country", "EST"], "requires --backfill"],
  ])("refuses the backfill %j", (options, message) => {
    expect(() => parseArguments(["odm_daily", ...options])).toThrow(message);
  });

  test("names the days of a deletion, its country and whether it is confirmed", () => {
    const request = parseArguments(["odm_daily", "--delete", "2024-02-29..2024-03-01", "--country", "EST", "--yes"]);
    expect(request).toMatchObject({ kind: "delete", first: "2024-02-29", last: "2024-03-01", country: "EST", isConfirmed: true });
    expect(parseArguments(["odm_daily", "--delete", "2024-02-29", "--country", "EST"])).toMatchObject({
      first: "2024-02-29",
      last: "2024-02-29",
      isConfirmed: false,
    });
  });

  test.each([
    [["odm_daily", "--delete", "2024-02-29"], "Which country?"],
    [["odm_daily", "--delete", "2023-02-29", "--country", "EST"], "must be a day or FIRST..LAST"],
    [["odm_daily", "--delete", "all", "--country", "EST"], "must be a day or FIRST..LAST"],
    [["odm_daily", "--delete", "2024-02-29", "--country", "EST", "--country", "LAT"], "One country at a time"],
    [["odm_daily", "--delete", "2024-02-29", "--country", "EST", "--file", "f"], "reads no file"],
    [["geographies", "--delete", "2024-02-29", "--country", "EST"], "geographies has no days"],
    [["odm_daily", "--file", "f", "--yes"], "--yes requires --delete"],
  ])("refuses the deletion %j", (options, message) => {
    expect(() => parseArguments(options)).toThrow(message);
  });

  test("recognises --help", () => {
    expect(parseArguments(["--help"])).toBeUndefined();
    expect(USAGE).toContain("npm run import -- odm_daily --file weekly_state2state_2019_01_07.csv");
    expect(USAGE).toContain("npm run import -- presence --file ticks.csv");
  });
});

describe("a wrong command line is rejected with the reason", () => {
  test.each([
    [[], "Which table?"],
    [["odm_daily"], "Which file?"],
    [["odm_weekly", "--file", "f"], '"odm_weekly" is not a table that the import loads; tables: activities_daily'],
    [["batches", "--file", "f"], '"batches" is not a table'],
    [["odm_daily", "flows_hourly", "--file", "f"], "One table and one file at a time"],
    [["odm_daily", "--file", "a.csv", "--file", "b.csv"], "One file at a time; --file names 2: a.csv, b.csv"],
    [["odm_daily", "--file", "a.csv", "b.csv"], 'One table and one file at a time; unexpected: "b.csv"'],
    [["odm_daily", "trips.csv"], "The file is named with --file: npm run import -- odm_daily --file trips.csv"],
    [["odm_daily", "--file", "f", "--set", "trips"], '--set "trips" must be COLUMN=VALUE'],
    [["odm_daily", "--file", "f", "--column", "=x"], '--column "=x" must be COLUMN=NAME'],
    [["odm_daily", "--file", "f", "--quick"], "--quick"],
    [["odm_daily", "--file", "f", "--location", "eu"], "--location requires --project"],
    [["odm_daily", "--file", "f", "--state", "s", "--project", "p"], "exclude each other"],
  ])("%j", (args, says) => {
    expect(() => parseArguments(args)).toThrow(says);
  });
});
