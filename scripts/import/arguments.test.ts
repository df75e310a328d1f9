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
    expect(request?.given).toEqual([
      { kind: "column", column: "geo_id", source: "id" },
      { kind: "set", column: "geo_name", value: "a=b" },
    ]);
  });

  test("targets the local service in .local, in another folder, or a cloud project", () => {
    expect(parseArguments(["odm_daily", "--file", "f"])?.target).toEqual({ kind: "local", stateDirectory: inProject(".local") });
    expect(parseArguments(["odm_daily", "--file", "f", "--state", "other"])?.target).toEqual({ kind: "local", stateDirectory: "other" });
    const cloud = parseArguments(["odm_daily", "--file", "f", "--project", "populus-dev"]);
    expect(cloud?.target).toEqual({ kind: "project", project: "populus-dev", location: "europe-north1" });
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
    [["odm_daily", "flows_hourly", "--file", "f"], "One table at a time"],
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
