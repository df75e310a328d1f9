import { expect, it } from "vitest";
import { placeOf } from "./place.ts";

it.each(["59.437, 24.7454", "59.437,24.7454", "59.437 24.7454", " 59.437 ;  24.7454\n"])(
  "a place is latitude and longitude: %j",
  (typed) => {
    expect(placeOf(typed)).toEqual({ lat: 59.437, lon: 24.7454 });
  },
);

it.each(["", " ", ",", "59.437", "59.437,", ", 24.7454", "59.437, 24.7454, 3", "59,437 24,7454", "59.437, east"])(
  "what is missing is not read as the equator or the meridian of Greenwich: %j",
  (typed) => {
    expect(placeOf(typed)).toBeUndefined();
  },
);
