import { describe, expect, it } from "vitest";
import { parseCountryTable } from "./countries.ts";

describe("a table of country rules", () => {
  it.each([
    [{ usa: { name: "x", time_zone: "UTC" } }, "alpha-3"],
    [{ USA: { name: "x", time_zone: "Mars/Base" } }, "IANA time zone"],
    [{ USA: { name: "x", time_zone: "UTC", odm: { geo_types: ["county"] } } }, "USA.odm.geo_types.0"],
    [{ USA: { name: "x", time_zone: "UTC", colour: "red" } }, "USA.colour"],
  ])("with an error is rejected with the error's location: %j", (json, message) => {
    expect(() => parseCountryTable("my.json", json)).toThrow(message);
  });
});
