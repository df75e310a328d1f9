import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareNames, compareText } from "./names.ts";
import { compareValues, equalValues, identicalValues } from "./order.ts";
import type { Value } from "./wire.ts";

const integer = (value: bigint): Value => ({ valueType: "integerValue", integerValue: value.toString() });
const double = (value: number): Value => ({ valueType: "doubleValue", doubleValue: value });

const { value: anyValue } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constant<Value>({ valueType: "nullValue", nullValue: "NULL_VALUE" }),
    fc.boolean().map((booleanValue): Value => ({ valueType: "booleanValue", booleanValue })),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(integer),
    fc.integer({ min: -2, max: 2 }).map((value) => integer(BigInt(value))),
    fc.double().map(double),
    fc.integer({ min: -2, max: 2 }).map(double),
    fc.tuple(fc.integer(), fc.integer({ min: 0, max: 999_999 })).map(([seconds, micros]): Value => {
      return { valueType: "timestampValue", timestampValue: { seconds: String(seconds), nanos: micros * 1000 } };
    }),
    fc.string({ unit: "binary", maxLength: 4 }).map((stringValue): Value => ({ valueType: "stringValue", stringValue })),
    fc.uint8Array({ maxLength: 3 }).map((bytesValue): Value => ({ valueType: "bytesValue", bytesValue })),
    fc.array(fc.constantFrom("a", "a!", "b"), { minLength: 1, maxLength: 3 }).map((path): Value => {
      return { valueType: "referenceValue", referenceValue: path.join("/") };
    }),
    fc.array(tie("value"), { maxLength: 3 }).map((values): Value => ({ valueType: "arrayValue", arrayValue: { values } })),
    fc.dictionary(fc.constantFrom("a", "b", "é"), tie("value")).map((fields): Value => ({ valueType: "mapValue", mapValue: { fields } })),
  ),
}));

describe("the order of values", () => {
  it("is total: antisymmetric and transitive", () => {
    fc.assert(
      fc.property(anyValue, anyValue, anyValue, (a, b, c) => {
        expect(Math.sign(compareValues(a, b))).toBe(-Math.sign(compareValues(b, a)) + 0);
        const [x, y, z] = [a, b, c].sort(compareValues);
        if (x && y && z) expect(compareValues(x, z)).toBeLessThanOrEqual(0);
      }),
      { seed: 1 },
    );
  });

  it("makes a value equal and identical to itself, and identical values equal", () => {
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        expect([equalValues(a, a), identicalValues(a, a)]).toEqual([true, true]);
        if (identicalValues(a, b)) expect(equalValues(a, b)).toBe(true);
      }),
      { seed: 1 },
    );
  });

  it("is exact between integers and doubles beyond 2^53", () => {
    const ascending = [
      double(Number.NaN),
      double(Number.NEGATIVE_INFINITY),
      integer(-(2n ** 63n)),
      double(-1.5),
      integer(-1n),
      double(-0.5),
      integer(0n),
    ];
    ascending.push(
      double(2 ** 53),
      integer(2n ** 53n + 1n),
      integer(2n ** 53n + 2n),
      integer(2n ** 63n - 1n),
      double(2 ** 63),
      double(Number.POSITIVE_INFINITY),
    );
    expect([...ascending].reverse().sort(compareValues)).toEqual(ascending);
  });

  it("treats 1 and 1.0 as equal but not identical, and zero and minus zero as both", () => {
    expect([equalValues(integer(1n), double(1)), identicalValues(integer(1n), double(1))]).toEqual([true, false]);
    expect([equalValues(double(0), double(-0)), identicalValues(double(0), double(-0))]).toEqual([true, false]);
  });
});

describe("the order of names", () => {
  it("compares texts by their UTF-8 bytes", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 5 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { seed: 1 },
    );
  });

  it("compares segment by segment, so documents below a document come before its next sibling", () => {
    expect(["a/b!", "a/b/c/d", "a/b", "a"].sort(compareNames)).toEqual(["a", "a/b", "a/b/c/d", "a/b!"]);
  });
});
