import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT, readPage } from "./pages.ts";

/** Types of GeoJSON (RFC 7946), which the page does not repeat. */
const GEOJSON = new Set(["FeatureCollection", "Feature", "Point", "LineString", "MultiLineString", "Polygon", "MultiPolygon"]);

/** Returns the texts that `enum` and `const` of a schema allow, at any depth. */
function valuesIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(valuesIn);
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) => {
    const allowed = name === "enum" && Array.isArray(value) ? value : name === "const" ? [value] : valuesIn(value);
    return allowed.filter((each): each is string => typeof each === "string");
  });
}

it.each(["users", "data"])("functions/README.md names every value that the %s API lists", (api) => {
  const values = new Set(valuesIn(JSON.parse(readFileSync(join(ROOT, `infra/generated/openapi.${api}.json`), "utf8"))));
  expect(values).toContain("about:blank");
  const page = readPage("functions/README.md");
  const unnamed = [...values].filter((value) => !GEOJSON.has(value) && !new RegExp(`(?<![\\w-])${value}(?![\\w-])`).test(page));
  expect(unnamed).toEqual([]);
});
