import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { sampleCells } from "../../infra/local/sample/cells.ts";
import { countryMaps } from "../../infra/local/sample/map/country-map.ts";
import { Canvas, type Colour } from "./canvas.ts";
import { drawCountry } from "./draw-country.ts";
import { widthOf } from "./lettering.ts";
import { parseSampleMapCommand } from "./options.ts";

/** Reads the pictures that `encodePng` writes. */
function decode(png: Buffer): { width: number; height: number; at: (x: number, y: number) => Colour } {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const length = png.readUInt32BE(33);
  const rows = inflateSync(png.subarray(41, 41 + length));
  const at = (x: number, y: number): Colour => {
    const index = y * (3 * width + 1) + 1 + 3 * x;
    return [rows[index] ?? 0, rows[index + 1] ?? 0, rows[index + 2] ?? 0];
  };
  return { width, height, at };
}

describe("a canvas", () => {
  it("fills what is inside an odd number of rings, smooth at edges", () => {
    const canvas = new Canvas(10, 10, [255, 255, 255]);
    const square = (from: number, to: number): [number, number][] => [
      [from, from],
      [to, from],
      [to, to],
      [from, to],
    ];
    canvas.fill([square(1, 9), square(4, 6)], [0, 0, 0]);
    const { at } = decode(canvas.png());
    expect([at(0, 0), at(2, 2), at(5, 5), at(8, 8)]).toEqual([
      [255, 255, 255],
      [0, 0, 0],
      [255, 255, 255],
      [0, 0, 0],
    ]);
    const half = new Canvas(4, 4, [255, 255, 255]);
    half.fill([square(0.5, 3)], [0, 0, 0]);
    const [edge] = decode(half.png()).at(0, 1);
    expect(edge).toBeGreaterThan(50);
    expect(edge).toBeLessThan(200);
  });
});

describe("a picture of a country", () => {
  it.each(countryMaps().map((map) => [map.country.code, map] as const))(
    "of %s has sea around it and land, cells and names within",
    (code, map) => {
      const cells = sampleCells({ seed: 1, scale: 1 }).filter(({ country }) => country === code);
      const { width, height, at } = decode(drawCountry(map, cells, 400));
      expect(Math.max(width, height)).toBe(400);
      const colours = new Map<string, number>();
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) colours.set(String(at(x, y)), (colours.get(String(at(x, y))) ?? 0) + 1);
      const sea = colours.get(String(at(0, 0))) ?? 0;
      expect(sea / (width * height)).toBeGreaterThan(0.2);
      expect(sea / (width * height)).toBeLessThan(0.85);
      const dark = [...colours].filter(([colour]) => colour.split(",").every((channel) => Number(channel) < 90));
      expect(dark.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(100);
    },
  );

  it("has letters for the name of every place", () => {
    for (const { places } of countryMaps()) for (const { name } of places) expect(widthOf(name, 1)).toBeGreaterThan(4);
  });
});

describe("the options", () => {
  it("have defaults", () => {
    expect(parseSampleMapCommand([])).toEqual({ help: false, output: ".local/sample-map", seed: 1, scale: 1, pixels: 1600 });
  });

  it.each([
    [["--foo"], /--foo/],
    [["--pixels", "100"], /--pixels must be a whole number from 200 to 5000, not "100"/],
    [["--scale", "0"], /scale must be from 0.05 to 100/],
    [["--seed", "x"], /seed must be a whole number from 0/],
    [["EST"], /EST/],
  ])("%j are refused", (args, message) => {
    expect(() => parseSampleMapCommand(args)).toThrow(message);
  });
});
