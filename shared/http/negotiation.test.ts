import { describe, expect, it } from "vitest";
import { acceptsGzip, allowsVersion, namesEntityTag } from "./negotiation.ts";

describe("gzip", () => {
  it.each([
    ["gzip", true],
    ["GZIP", true],
    ["*", true],
    ["gzip, deflate, br", true],
    ["br, gzip;q=0.1", true],
    ["gzip;q=0.5, identity;q=0.4", true],
    ["gzip ; q=1.0 , *;q=0", true],
    ["gzip;q=0", false],
    ["gzip;q=0.000, *", false],
    ["gzip;q=0.4, identity;q=0.5", false],
    ["identity", false],
    ["br", false],
    ["gzipped", false],
    ["gzip;q=x", false],
    ["identity;q=0, *;q=0", false],
    [" ,;=", false],
    ["", false],
    [undefined, false],
  ])("is used when it is preferred to plain content: %s", (header, expected) => {
    expect(acceptsGzip({ "accept-encoding": header })).toBe(expected);
  });
});

describe("If-None-Match", () => {
  it.each([
    ['W/"a"', true],
    ['"a"', true],
    ["*", true],
    ['"b", W/"a"', true],
    ['"b",,"a" ', true],
    ['W/"b"', false],
    ['"A"', false],
    ["a", false],
    ['w/"a"', false],
    ['"b", *', false],
    ['"a', false],
    ["", false],
    [undefined, false],
  ])("compares weakly: %s", (header, expected) => {
    expect(namesEntityTag(header, 'W/"a"')).toBe(expected);
  });
});

describe("If-Match", () => {
  it.each([
    ['"3"', true],
    ['"3-gzip"', true],
    ['"2", "3"', true],
    ["*", true],
    ['W/"3"', false],
    ['"2"', false],
    ['"2-gzip"', false],
    ['"2", *', false],
    ["3", false],
    ["", false],
  ])("compares strongly with the tags of both forms: %s", (header, expected) => {
    expect(allowsVersion(header, '"3"')).toBe(expected);
  });
});
