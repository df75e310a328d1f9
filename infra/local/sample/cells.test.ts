import { describe, expect, test } from "vitest";
import { sampleCells } from "./cells.ts";
import { countryMaps } from "./map/country-map.ts";
import { finestOf, SAMPLE_COUNTRIES } from "./rules.ts";

/** Returns the number of inhabited cells of the finest level of each country's activities. */
function finestCells(scale: number): Record<string, number> {
  const cells = sampleCells({ seed: 1, scale });
  return Object.fromEntries(
    SAMPLE_COUNTRIES.map(({ code, activities }) => {
      const side = finestOf(activities) === "grid_250m" ? 250 : 1000;
      const ids = cells
        .filter(({ country }) => country === code)
        .map(({ east, north }) => `${Math.floor(east / side)} ${Math.floor(north / side)}`);
      return [code, new Set(ids).size];
    }),
  );
}

describe("the inhabited cells", () => {
  test("are about 2,100 of the finest levels at scale 1, and nearly in proportion to the scale up to a country's size", () => {
    const total = (scale: number): number => Object.values(finestCells(scale)).reduce((sum, count) => sum + count, 0);
    expect(total(1)).toBeGreaterThan(1900);
    expect(total(1)).toBeLessThan(2300);
    expect(total(20)).toBeGreaterThan(12 * total(1));
    expect(total(100)).toBeGreaterThan(3 * total(20));
  });

  test("are on land, in the area of the nearest site, and each there once", () => {
    const maps = new Map(countryMaps().map((map) => [map.country.code as string, map]));
    const cells = sampleCells({ seed: 1, scale: 1 });
    expect(new Set(cells.map(({ country, east, north }) => `${country} ${east} ${north}`)).size).toBe(cells.length);
    for (const { country, area, municipality, east, north } of cells) {
      const map = maps.get(country);
      expect(map?.landRows.get(north)?.some(({ first, last }) => first <= east && east <= last)).toBe(true);
      expect(map?.sites.find(({ code }) => code === area)?.municipality).toBe(municipality);
    }
  });

  test("are in every municipality, from scale 1 on", () => {
    const all = countryMaps().flatMap(({ country, places }) => places.map(({ code }) => `${country.code} ${code}`));
    for (const scale of [1, 20]) {
      const found = new Set(sampleCells({ seed: 1, scale }).map(({ country, municipality }) => `${country} ${municipality}`));
      expect(all.filter((municipality) => !found.has(municipality))).toEqual([]);
    }
  });

  test("are busiest in the middle of the capital, and most devices there are at work", () => {
    const capital = sampleCells({ seed: 1, scale: 1 }).filter(({ country, municipality }) => country === "EST" && municipality === 784);
    const busiest = capital.reduce((most, cell) => (cell.work + cell.home > most.work + most.home ? cell : most));
    expect(busiest.work).toBeGreaterThan(busiest.home);
    expect(busiest.work + busiest.home).toBeGreaterThan(150);
  });

  test("differ by the seed", () => {
    expect(sampleCells({ seed: 2, scale: 1 })).not.toEqual(sampleCells({ seed: 1, scale: 1 }));
  });
});
