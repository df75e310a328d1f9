import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseBbox } from "./bbox.ts";

describe("a bbox", () => {
  it("parses to its four numbers, in order", () => {
    const degrees = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true });
    fc.assert(
      fc.property(degrees(180), degrees(90), degrees(180), degrees(90), (x1, y1, x2, y2) => {
        const box = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
        const parsed = parseBbox(box.join(","));
        expect(parsed.ok && parsed.bbox.map((side) => side + 0)).toEqual(box.map((side) => side + 0));
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it.each([
    ["24.5,59.3,24.5,59.3", [24.5, 59.3, 24.5, 59.3]],
    ["-180,-90,180,90", [-180, -90, 180, 90]],
    ["+1,.5,1e1,2.", [1, 0.5, 10, 2]],
  ])("%s is accepted", (text, bbox) => {
    expect(parseBbox(text)).toEqual({ ok: true, bbox });
  });

  it.each([
    ["", ["must be four numbers, west,south,east,north in degrees; it has 0"]],
    ["1,2,3", ["must be four numbers, west,south,east,north in degrees; it has 3"]],
    ["1,2,3,4,5", ["must be four numbers, west,south,east,north in degrees; it has 5"]],
    ["a,2,3,4", ['west must be a finite number of degrees, not "a"']],
    ["1,,3,4", ['south must be a finite number of degrees, not ""']],
    ["1,2,0x3,4", ['east must be a finite number of degrees, not "0x3"']],
    ["1,2,3,Infinity", ['north must be a finite number of degrees, not "Infinity"']],
    ["1,2,3,1e999", ['north must be a finite number of degrees, not "1e999"']],
    ["-180.5,2,3,4", ["west must be from -180 to 180 degrees, not -180.5"]],
    ["1,-91,3,4", ["south must be from -90 to 90 degrees, not -91"]],
    ["1,2,181,4", ["east must be from -180 to 180 degrees, not 181"]],
    ["1,2,3,90.1", ["north must be from -90 to 90 degrees, not 90.1"]],
    ["3,2,1,4", ["west (3) must not be greater than east (1); a box across the 180th meridian takes two requests"]],
    ["1,4,3,2", ["south (4) must not be greater than north (2)"]],
    ["x,91,3,4", ['west must be a finite number of degrees, not "x"', "south must be from -90 to 90 degrees, not 91"]],
    [`${"9".repeat(40)},2,3,4`, [`west must be from -180 to 180 degrees, not ${"9".repeat(24)}...`]],
  ])("%s is rejected with the reasons", (text, details) => {
    expect(parseBbox(text)).toEqual({ ok: false, details });
  });
});
