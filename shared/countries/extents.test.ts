import { describe, expect, it } from "vitest";
import builtIn from "../../infra/countries.json" with { type: "json" };
import type { Polygon } from "../geometry/polygon.ts";
import { parseCountryTable } from "../products/countries.ts";
import type { CountryRules } from "./country-rules.ts";
import { placeOfBox, placeOfPolygon } from "./extents.ts";

const table = parseCountryTable("infra/countries.json", builtIn);

function rules(...codes: readonly string[]): CountryRules[] {
  return codes.map((code) => {
    const country = table[code];
    if (!country) throw new Error(`${code} is not in the table`);
    return country;
  });
}

function polygon(...ring: readonly (readonly [number, number])[]): Polygon {
  return { rings: [[...ring, ring[0] ?? [0, 0]]] };
}

describe("a polygon", () => {
  const tartu = polygon([26.7, 58.3], [26.8, 58.3], [26.8, 58.4]);

  it("is inside of any country that it reaches", () => {
    expect(placeOfPolygon(tartu, rules("EST"))).toBe("inside");
    expect(placeOfPolygon(tartu, rules("NOR", "EST"))).toBe("inside");
    expect(placeOfPolygon(polygon([20, 58.8], [22, 58.8], [22, 58.9]), rules("EST"))).toBe("inside");
    expect(placeOfPolygon(polygon([31, 70], [32, 70], [32, 70.1]), rules("NOR"))).toBe("inside");
  });

  it("is outside of the others, also if it only touches their extent or bends around it", () => {
    expect(placeOfPolygon(tartu, rules("NOR"))).toBe("outside");
    expect(placeOfPolygon(tartu, [])).toBe("outside");
    expect(placeOfPolygon(polygon([28.3, 58], [29, 58], [29, 59]), rules("EST"))).toBe("outside");
    const around = polygon([21, 57], [28.8, 57], [28.8, 60.4], [28.6, 60.4], [28.6, 57.2], [21, 57.2]);
    expect(placeOfPolygon(around, rules("EST"))).toBe("outside");
  });

  it("looks swapped if it would be inside with longitude and latitude in each other's place", () => {
    expect(placeOfPolygon(polygon([58.3, 26.7], [58.3, 26.8], [58.4, 26.8]), rules("NOR", "EST"))).toBe("swapped");
    expect(placeOfPolygon(polygon([58.3, 26.7], [58.3, 26.8], [58.4, 26.8]), rules("LTU", "NOR"))).toBe("outside");
  });
});

describe("a box", () => {
  it("is inside with its edges, and a point is a box", () => {
    expect(placeOfBox([28.3, 59.9, 30, 61], rules("EST"))).toBe("inside");
    expect(placeOfBox([0, 0, 90, 90], rules("EST"))).toBe("inside");
    expect(placeOfBox([24.7, 59.4, 24.7, 59.4], rules("EST"))).toBe("inside");
    expect(placeOfBox([28.31, 59.91, 30, 61], rules("EST"))).toBe("outside");
    const [{ grid } = {}] = rules("EST");
    const [west = 0, south = 0, east = 0, north = 0] = grid?.extents[0] ?? [];
    const [lon, lat] = [(west + east) / 2, (south + north) / 2];
    for (const [far, place] of [
      [0, "inside"],
      [0.01, "outside"],
    ] as const) {
      expect(placeOfBox([east + far, lat, 40, lat], rules("EST"))).toBe(place);
      expect(placeOfBox([10, lat, west - far, lat], rules("EST"))).toBe(place);
      expect(placeOfBox([lon, north + far, lon, 70], rules("EST"))).toBe(place);
      expect(placeOfBox([lon, 50, lon, south - far], rules("EST"))).toBe(place);
    }
    expect(placeOfBox([59.4, 24.7, 59.4, 24.7], rules("EST"))).toBe("swapped");
    expect(placeOfBox([58.3, 26.6, 58.5, 26.8], rules("EST"))).toBe("swapped");
  });
});

it("nothing is outside of a country without a grid, whose extent is not known", () => {
  const unknown = rules("EST").map((country) => ({ ...country, grid: undefined }));
  expect(placeOfBox([0, 0, 1, 1], [...rules("NOR"), ...unknown])).toBe("inside");
  expect(placeOfPolygon(polygon([0, 0], [1, 0], [1, 1]), unknown)).toBe("inside");
});
