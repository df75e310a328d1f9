import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distanceToLine, type Line } from "../geometry/distance-to-line.ts";
import type { Point } from "../geometry/polygon.ts";
import { direct } from "../geometry/testing/vincenty.ts";
import { type LinkCandidate, NEAREST_LINK_METRES, nearestLink } from "./nearest-road-link.ts";

const POINT: Point = [24.75, 59.43];

function link(link_id: number, line: Line): LinkCandidate {
  return { link_id, link_name: `link ${link_id}`, link_type: "primary", line };
}

/** Returns a straight road that passes the point at this distance and bearing. */
function road(link_id: number, metres: number, bearing = 0): LinkCandidate {
  const middle = direct(POINT, bearing, metres);
  return link(link_id, [direct(middle, bearing + 90, 700), direct(middle, bearing - 90, 300)]);
}

const roads = fc
  .array(fc.record({ metres: fc.nat(3000), bearing: fc.nat(359) }), { maxLength: 12 })
  .map((made) => made.map(({ metres, bearing }, index) => road(index, metres, bearing)));

describe("the nearest link", () => {
  it("has the least distance, and is undefined beyond the limit", () => {
    fc.assert(
      fc.property(roads, (candidates) => {
        const metres = candidates.map(({ line }) => distanceToLine(POINT, line));
        const least = Math.min(...metres);
        const found = nearestLink(POINT, candidates);
        expect(found === undefined).toBe(least > NEAREST_LINK_METRES + 0.001);
        if (!found) return;
        expect(Math.abs(found.distance_m - least)).toBeLessThanOrEqual(0.05 + 1e-9);
        expect(metres[found.link_id]).toBeLessThan(least + 0.001);
      }),
      { seed: 1 },
    );
  });

  it("does not depend on the order of the candidates", () => {
    fc.assert(
      fc.property(roads, fc.nat(11), (candidates, turn) => {
        const turned = [...candidates.slice(turn), ...candidates.slice(0, turn)].toReversed();
        expect(nearestLink(POINT, turned)).toEqual(nearestLink(POINT, candidates));
      }),
      { seed: 2 },
    );
  });

  it("has its name, its class and its distance to a tenth of a metre", () => {
    expect(nearestLink(POINT, [road(8, 120.26), road(7, 120.34, 90), road(9, 450)])).toEqual({
      link_id: 8,
      link_name: "link 8",
      link_type: "primary",
      distance_m: 120.3,
    });
  });

  it("is the one with the smaller id if two links share their nearest end", () => {
    const [shared, east, west] = [direct(POINT, 10, 500), direct(POINT, 20, 1500), direct(POINT, 0, 1500)];
    const [a, b] = [link(12, [shared, east]), link(11, [west, shared])];
    for (const candidates of [
      [a, b],
      [b, a],
    ])
      expect(nearestLink(POINT, candidates)).toMatchObject({ link_id: 11, distance_m: 500 });
  });

  it("is not the one with the smaller id if that is 2 mm further away", () => {
    expect(nearestLink(POINT, [road(1, 100.002), road(2, 100, 90)])).toMatchObject({ link_id: 2 });
  });

  it("is at most 2,000 m away", () => {
    expect(nearestLink(POINT, [road(1, 2000)])).toMatchObject({ link_id: 1, distance_m: 2000 });
    expect(nearestLink(POINT, [road(1, 2000.01)])).toBeUndefined();
    expect(nearestLink(POINT, [])).toBeUndefined();
  });

  it("with several lines is as near as its nearest line", () => {
    expect(nearestLink(POINT, [road(5, 900), road(3, 400), road(5, 200, 90)])).toMatchObject({ link_id: 5, distance_m: 200 });
  });
});
