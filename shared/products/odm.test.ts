import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { OdmRow, odm } from "./odm.ts";

const pair = { batch_date: "2026-11-01", origin_geo_id: 1, destination_geo_id: 2, trips: 7 };

describe("a row of a stored preview", () => {
  it.each([
    [{ ...pair, General_Distance: null, Average_Speed: null }, pair],
    [
      { ...pair, General_Distance: 1200, Average_Speed: null },
      { ...pair, General_Distance: 1200 },
    ],
    [
      { ...pair, General_Distance: 0, Average_Speed: 4.5 },
      { ...pair, General_Distance: 0, Average_Speed: 4.5 },
    ],
    [pair, pair],
  ])("%j becomes %j, without unknown values", (stored, row) => {
    const read = v.parse(odm.product.storedRow, stored);
    expect(read).toStrictEqual(row);
    expect(v.is(OdmRow, read)).toBe(true);
  });

  it("with a null is not a valid response row", () => {
    expect(v.is(OdmRow, { ...pair, General_Distance: null })).toBe(false);
  });
});
