import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { FIELD_ERRORS_MAX } from "../http/errors.ts";
import { GeoIdQuery, GeoIds, GeoIdsQuery, MapGeoIds } from "./request-fields.ts";

/** Returns the errors of an input as pairs of path and message. */
function errorsOf(schema: v.GenericSchema, input: unknown): (readonly [string | null, string])[] {
  return (v.safeParse(schema, input).issues ?? []).map((issue) => [v.getDotPath(issue), issue.message] as const);
}

describe("the ids of a POST", () => {
  it("are numbers and strings of digits, without duplicates", () => {
    expect(v.parse(GeoIds, [3, "2", "0003", 2, Number.MAX_SAFE_INTEGER])).toEqual([3, 2, Number.MAX_SAFE_INTEGER]);
  });

  it("have one error for each invalid id", () => {
    const id = "must be a geography id: a whole number, or its digits as a string; GET /geographies finds ids by name";
    const whole = "must be a whole number below 2^53";
    expect(errorsOf(GeoIds, [1, "two", null, 1.5, "9999999999999999", -1, [], true, "1e3", ""])).toEqual([
      ["1", id],
      ["2", id],
      ["3", whole],
      ["4", whole],
      ["5", "must not be negative"],
      ["6", id],
      ["7", id],
      ["8", id],
      ["9", id],
    ]);
  });

  it("are at most 10,000: duplicates count once, however they are written", () => {
    const ids = Array.from({ length: 10_000 }, (_, id) => id);
    expect(v.parse(GeoIds, [...ids, ...ids.map((id) => `0${id}`)])).toEqual(ids);
    expect(errorsOf(GeoIds, [...ids, 10_000])).toEqual([[null, "must hold at most 10,000 ids"]]);
  });

  it("are at least one; only a request of data may leave them out", () => {
    const message = "must hold at least one id";
    expect(errorsOf(GeoIds, [])).toEqual([[null, `${message}; leave it out to ask for every geography of the type`]]);
    expect(errorsOf(MapGeoIds, [])).toEqual([[null, message]]);
  });

  it("are checked until the error list is full", () => {
    const errors = errorsOf(GeoIds, [1, ...Array(260_000).fill("x")]);
    expect(errors).toHaveLength(FIELD_ERRORS_MAX);
    expect(errors.at(-1)?.[0]).toBe(String(FIELD_ERRORS_MAX));
  });
});

describe("the ids of a GET", () => {
  it.each([
    ["1,2", [1, 2]],
    [
      ["1", "2"],
      [1, 2],
    ],
    [
      ["1,2", "2,3"],
      [1, 2, 3],
    ],
    ["007", [7]],
    ["1, 2 ,3", [1, 2, 3]],
  ])("%j parse to %j", (given, ids) => {
    expect(v.parse(GeoIdsQuery, given)).toEqual(ids);
  });

  it.each(["", "1,", "1,,2", "1 2", "-1", "x"])("%j are rejected", (given) => {
    expect(errorsOf(GeoIdsQuery, given)).not.toEqual([]);
  });

  it("are at most 500: duplicates count once", () => {
    const ids = Array.from({ length: 500 }, (_, id) => id);
    expect(v.parse(GeoIdsQuery, Array(501).fill("1").join(","))).toEqual([1]);
    expect(v.parse(GeoIdsQuery, [ids.join(","), "007"])).toEqual(ids);
    expect(errorsOf(GeoIdsQuery, [...ids, 500].join(","))).toEqual([[null, "must hold at most 500 ids"]]);
  });

  it("that a preview takes only one of are one id, however often it is written", () => {
    expect(v.parse(GeoIdQuery, "7,07")).toEqual([7]);
    expect(errorsOf(GeoIdQuery, "7,8")).toEqual([[null, "must be one id in a preview; POST /data-agg takes up to 10,000"]]);
  });
});
