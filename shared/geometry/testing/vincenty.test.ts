import { expect, it } from "vitest";
import type { Point } from "../polygon.ts";
import { direct, inverse } from "./vincenty.ts";

/** Flinders Peak and Buninyong, the example of the GDA94 Technical Manual (GRS 80, which is within 0.1 mm of WGS 84): 54,972.271 m. */
const FLINDERS_PEAK: Point = [degrees(144, 25, 29.5244), -degrees(37, 57, 3.7203)];
const BUNINYONG: Point = [degrees(143, 55, 35.3839), -degrees(37, 39, 10.1561)];

function degrees(whole: number, minutes: number, seconds: number): number {
  return whole + minutes / 60 + seconds / 3600;
}

it("Vincenty's inverse formula returns the published distance and azimuth", () => {
  const { metres, azimuth } = inverse(FLINDERS_PEAK, BUNINYONG);
  expect(metres).toBeCloseTo(54_972.271, 3);
  expect(azimuth + 360).toBeCloseTo(degrees(306, 52, 5.37), 5);
});

it("Vincenty's direct formula returns the published point", () => {
  const [lon, lat] = direct(FLINDERS_PEAK, degrees(306, 52, 5.37), 54_972.271);
  expect(lon).toBeCloseTo(BUNINYONG[0], 7);
  expect(lat).toBeCloseTo(BUNINYONG[1], 7);
});
