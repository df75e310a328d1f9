import fc from "fast-check";
import type { JsonSchema } from "../json-schema.ts";

const NUMBER_TEXTS = [
  "NaN",
  "Infinity",
  "-Infinity",
  "1e400",
  "0x1F",
  "1_000",
  "١٢٣",
  " 1",
  "-0",
  "+1",
  "1.",
  "9007199254740993",
  "9".repeat(400),
];
const TEXTS = [
  ...["", " ", "\u0000", "a\u0000b", "\u001b[31mred", "\r\nx-injected: 1", "\u0085", "\u2028", "\ufeff", "\u202eabc", "\ud800", "a\udc00b"],
  ...["e\u0301".repeat(50), "👩‍👩‍👧‍👦", "ﷺ".repeat(100), "ı", "İ", "ß", "Ǆ", "x".repeat(5000), "日".repeat(201)],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "null", "undefined", "true", "[object Object]"],
  ...[
    "'; DROP TABLE maps; --",
    '" OR ""="',
    "`x`",
    "@x",
    "%s%n",
    "#{7*7}",
    "{{7*7}}",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "%2e%2e%2f",
    "\\",
    "~",
    "~uid~",
  ],
  ...["0000-01-01", "-000001-01-01", "+275760-09-13T00:00:00Z", "9999-12-31T23:59:59.999Z", "2026-02-30", "2026-11-01T24:00:00Z"],
  ...[
    "2026-06-30T23:59:60Z",
    "2026-11-01T00:00:00",
    "2026-11-01T00:00:00+25:00",
    "2026-W01",
    "20261101",
    "1",
    "2026-11-01T00:00:00.123456789Z",
    "1970-01-01",
  ],
  ...["POLYGON EMPTY", "POLYGON((0 0, 1 1, 0 0))", "POLYGON((NaN 0, 1 1, 2 0, NaN 0))", "POLYGON((0 0, 1 1, 1 0, 0 1, 0 0))", "POINT(1 1)"],
  ...[
    "POLYGON((24 59, 25 59, 25 60, 24 59)) x",
    "POLYGON((1e308 1e308, 1 1, 1 0, 1e308 1e308))",
    "POLYGON(((((((((",
    `POLYGON((${"0 0,".repeat(11_000)}0 0))`,
  ],
  ...["POLYGON((-180 -90, 180 -90, 180 90, -180 90, -180 -90))", "POLYGON((24.7 59.4, 24.7000001 59.4, 24.7 59.4000001, 24.7 59.4))"],
  ...[
    "24,59,25,60,1",
    "25,60,24,59",
    "NaN,NaN,NaN,NaN",
    "1e999,0,1,1",
    ",,,",
    "1,,2",
    "1,".repeat(600),
    "odm",
    "osm_links",
    "LTU",
    "XXX",
    "LAT",
    "queued",
  ],
];

/** Member names that are special in JavaScript, or unknown. */
export const oddNames = fc.oneof(
  fc.constantFrom(
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "then",
    "",
    " ",
    "a/b~c",
    "x".repeat(3000),
    "\ud800",
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
);

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** JSON values of every kind that a member does not expect. */
export const oddValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -0, -1, 1, 1.5, 1e308, -1e308, 5e-324, 2 ** 53, -(2 ** 53), 1e21),
  fc.constantFrom<unknown>(...NUMBER_TEXTS),
  fc.constantFrom<unknown>(...TEXTS),
  fc.constantFrom<unknown>([], {}, [[]], [null], [1, 1], ["1", 1], [-1], [1.5], ["x"], [{}], { length: 1 }, nested(10), nested(40)),
  fc.constantFrom<unknown>(
    Array.from({ length: 10_001 }, (_, index) => index),
    Array.from({ length: 150 }, () => "x"),
    Object.fromEntries([["__proto__", { admin: true }]]),
    Object.fromEntries([["constructor", { prototype: { admin: true } }]]),
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Returns values at and just beyond the bounds of a schema, for a member that has `value` otherwise. */
export function boundsOf(schema: JsonSchema, value: unknown): unknown[] {
  const { minimum, maximum, maxLength, minItems, maxItems, enum: values } = schema;
  const of = (bound: number | undefined, list: (at: number) => unknown[]): unknown[] => (bound === undefined ? [] : list(bound));
  return [
    ...of(minimum, (at) => [at, at - 1, at - 1e-9, String(at - 1)]),
    ...of(maximum, (at) => [at, at + 1, at * (1 + 1e-9), String(at + 1)]),
    ...of(maxLength, (at) => ["x".repeat(at), "x".repeat(at + 1), "👍".repeat(at)]),
    ...of(minItems, (at) => [Array.from({ length: at - 1 }, () => 1), Array.from({ length: at }, () => 1)]),
    ...of(maxItems, (at) => [Array.from({ length: at + 1 }, (_, index) => index)]),
    ...(values?.flatMap((one) => [`${one} `, String(one).toUpperCase(), [one]]) ?? []),
    ...(typeof value === "string"
      ? [`${value}\n`, ` ${value}`, value.toUpperCase(), value.slice(1), value + value, [value], [value, value]]
      : []),
    ...(typeof value === "number" ? [String(value), -value, value + 0.5, [value], { value }] : []),
    ...(Array.isArray(value) ? [value[0], value.join(","), [value], Object.fromEntries(value.entries())] : []),
  ];
}
