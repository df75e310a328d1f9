import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { closestName } from "./closest-name.ts";
import { errorsOf, queryErrorsOf } from "./field-errors.ts";
import { shapesOf, unknownFields } from "./unknown-fields.ts";

const Dog = v.pipe(
  v.strictObject({ kind: v.literal("dog"), bark: v.string() }),
  v.check(() => true),
);
const Cat = v.strictObject({ kind: v.picklist(["cat", "lion"]), colour: v.optional(v.string()) });
const Animal = v.variant("kind", [Dog, Cat]);
const UNKNOWN = "is not a known field";

describe("unknown fields", () => {
  it.each([
    [{ kind: "dog", bark: "x" }, []],
    [{ kind: "dog", colour: "x" }, [{ pointer: "/colour", detail: UNKNOWN }]],
    [{ kind: "lion", bark: "x", colour: "x" }, [{ pointer: "/bark", detail: UNKNOWN }]],
    [
      { kind: "cat", color: "x", zzz: 1, __proto: 2 },
      [
        { pointer: "/color", detail: `${UNKNOWN}; did you mean colour?` },
        { pointer: "/zzz", detail: UNKNOWN },
        { pointer: "/__proto", detail: UNKNOWN },
      ],
    ],
    // An unknown variant: only fields that no variant knows.
    [{ kind: "fish", bark: "x", fins: 2 }, [{ pointer: "/fins", detail: UNKNOWN }]],
    [{ constructor: 1 }, [{ pointer: "/constructor", detail: UNKNOWN }]],
    [["a"], []],
    ["text", []],
    [undefined, []],
  ])("of %j are all reported, according to the discriminator", (input, errors) => {
    expect(unknownFields(Animal, input)).toEqual(errors);
    expect(unknownFields(v.optional(Animal, { kind: "cat" }), input)).toEqual(errors);
  });

  it("are not reported if the schema accepts any member", () => {
    expect(unknownFields(v.looseObject({ a: v.string() }), { b: 1 })).toEqual([]);
  });

  it("come first, before all other errors, each once", () => {
    const input = { kind: "dog", barc: "x", more: 1 };
    expect(errorsOf(Animal, input, v.safeParse(Animal, input).issues)).toEqual([
      { pointer: "/barc", detail: `${UNKNOWN}; did you mean bark?` },
      { pointer: "/more", detail: UNKNOWN },
      { pointer: "/bark", detail: "is required" },
    ]);
  });

  it.each([
    ["missing", {}, "is required: small, large"],
    ["unknown", { size: "huge" }, "must be one of small, large"],
  ])("do not hide the errors that all variants have alike, if the discriminator is %s", (_what, size, detail) => {
    const Box = v.variant("size", [
      v.strictObject({ name: v.string(), size: v.literal("small"), lid: v.string(), high: v.number() }),
      v.strictObject({ name: v.string(), size: v.literal("large"), lid: v.number(), high: v.optional(v.number()), wide: v.number() }),
    ]);
    const input = { ...size, lid: true, high: "x", wyde: 1 };
    expect(errorsOf(Box, input, v.safeParse(Box, input).issues)).toEqual([
      { pointer: "/wyde", detail: `${UNKNOWN}; did you mean wide?` },
      { pointer: "/size", detail, allowed: ["small", "large"] },
      { pointer: "/name", detail: "is required" },
      { pointer: "/high", detail: "must be a number" },
    ]);
  });

  it("with a name of a megabyte are reported by its beginning", () => {
    const [error] = unknownFields(Cat, { ["x".repeat(1_000_000)]: 1 });
    expect(error?.pointer).toBe(`/${"x".repeat(128)}…`);
  });
});

describe("a repeated parameter", () => {
  const Query = v.strictObject({
    kind: v.picklist(["a", "b"]),
    name: v.string(),
    box: v.string("must be given once, as west,south,east,north"),
    ids: v.pipe(v.array(v.string()), v.maxLength(1, "must hold at most 1 id")),
  });

  it("that takes one value is told so, one that takes several is not", () => {
    const query = { kind: ["a", "b"], name: ["x", "x"], box: ["1", "2"], ids: ["1", "2"] };
    expect(queryErrorsOf(Query, query, v.safeParse(Query, query).issues)).toEqual([
      { pointer: "/kind", detail: "must be given once", allowed: ["a", "b"] },
      { pointer: "/name", detail: "must be given once" },
      { pointer: "/box", detail: "must be given once, as west,south,east,north" },
      { pointer: "/ids", detail: "must hold at most 1 id" },
    ]);
  });
});

describe("the shapes of a schema", () => {
  it("include those of each option", () => {
    expect(shapesOf(v.optional(Animal)).map((shape) => Object.keys(shape))).toEqual([
      ["kind", "bark"],
      ["kind", "colour"],
    ]);
  });
});

describe("a near name", () => {
  const known = ["measure", "start_time", "end_time", "geo_ids", "id", "lat", "lon"];
  it.each([
    ["mesure", "measure"],
    ["Measure", "measure"],
    ["measrue", "measure"],
    ["starttime", "start_time"],
    ["geo_idz", "geo_ids"],
    ["geoid", "geo_ids"],
    ["ln", "lon"],
    ["xy", undefined],
    ["ab", undefined],
    ["duration", undefined],
    ["me", undefined],
    ["", undefined],
  ])("of %j is %j", (name, near) => {
    expect(closestName(name, known)).toBe(near);
  });
});
