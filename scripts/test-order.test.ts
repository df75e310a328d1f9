import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { SLOW_FILES } from "./test-order.ts";

it("the slow files are there", () => {
  expect(SLOW_FILES.filter((file) => !existsSync(new URL(`../${file}`, import.meta.url)))).toEqual([]);
});
