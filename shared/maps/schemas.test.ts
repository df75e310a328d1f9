import * as v from "valibot";
import { expect, it } from "vitest";
import { parsePolygon } from "../geometry/wkt.ts";
import { jsonSchema } from "../openapi/schemas.ts";
import { UpdateMapBody } from "./schemas.ts";

it.each([
  ["POLYGON((24.74 59.43, 24.76 59.43, 24.76 59.44, 24.74 59.43))", true],
  ["\npolygon\r\n((24.74 59.43,\n24.76 59.43,\r\n24.76 59.44, 24.74 59.43)\n)\n", true],
  ["POINT(24.74 59.43)", false],
  ["POLYGON\n", false],
])("the documented pattern takes the geometry %j as the service does", (text, isTaken) => {
  const Documented = v.object({ properties: v.object({ geometry: v.object({ pattern: v.string() }) }) });
  const { pattern } = v.parse(Documented, jsonSchema(UpdateMapBody, "input")).properties.geometry;
  expect(new RegExp(pattern, "u").test(text)).toBe(isTaken);
  expect(parsePolygon(text).ok).toBe(isTaken);
});
