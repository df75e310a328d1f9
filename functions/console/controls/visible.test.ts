import { expect, it } from "vitest";
import { visible } from "./visible.ts";

it.each([
  ["a zero-width space", "Tal\u200blinn", "Tal␣linn"],
  ["an override of the writing direction", "map\u202egpj", "map␣gpj"],
  ["a joiner of graphemes", "Twin\u034f", "Twin␣"],
  ["a tag", "Twin\u{e0041}", "Twin␣"],
  ["a blank of Braille", "\u2800", "␣"],
])("shows %s", (_what, value, shown) => {
  expect(visible(value)).toBe(shown);
});

it.each(["Õismäe", "تالين", "🏖️ Rand", "葛\u{e0100}飾区"])("leaves %s as it is", (value) => {
  expect(visible(value)).toBe(value);
});
