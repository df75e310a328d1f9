import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { closestName } from "./closest-name.ts";
import { errorsOf } from "./field-errors.ts";
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

  it("with a name of a megabyte are reported by its beginning", () => {
    const [error] = unknownFields(Cat, { ["x".repeat(1_000_000)]: 1 });
    expect(error?.pointer).toBe(`/${"x".repeat(128)}…`);
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
