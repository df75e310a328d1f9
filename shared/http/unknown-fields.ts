import * as v from "valibot";
import { closestName } from "./closest-name.ts";
import { FIELD_ERRORS_MAX, type FieldError } from "./errors.ts";
import { pointerTo } from "./json-pointer.ts";
import type { Schema } from "./schema.ts";

/** The entries of one object schema. */
export type Shape = Readonly<Record<string, Schema>>;

/** Returns an error for each unknown member of an input, with the name that was probably meant. Valibot reports only the first. */
export function unknownFields(schema: Schema, input: unknown): FieldError[] {
  const shapes = shapesOf(schema);
  if (shapes.length === 0 || typeof input !== "object" || input === null || Array.isArray(input)) return [];
  const meant = shapes.filter((shape) => takesDiscriminator(schema, shape, input));
  const known = new Set((meant.length > 0 ? meant : shapes).flatMap((shape) => Object.keys(shape)));
  const unknown = Object.keys(input).filter((name) => !known.has(name));
  return unknown.map((name, index) => {
    const near = index < FIELD_ERRORS_MAX ? closestName(name, known) : undefined;
    return { pointer: pointerTo([name]), detail: `is not a known field${near === undefined ? "" : `; did you mean ${near}?`}` };
  });
}

/** Returns the valid values of the members of an input's shape that take one of a list, by name. A missing member is told with them. */
export function requiredOptions(schema: Schema, input: unknown): Map<string, readonly string[]> {
  if (typeof input !== "object" || input === null) return new Map();
  const meant = shapesOf(schema).filter((shape) => takesDiscriminator(schema, shape, input));
  return new Map(
    meant.flatMap((shape) =>
      Object.entries(shape).flatMap(([name, member]) => {
        const options = v.safeParse(Picklist, member);
        return options.success ? [[name, options.output.options] as const] : [];
      }),
    ),
  );
}

const Picklist = v.object({ type: v.literal("picklist"), options: v.array(v.string()) });

/** Returns the shapes of a schema: one for a strict object, one per option of a variant, none for a schema that accepts any member. */
export function shapesOf(schema: Schema): Shape[] {
  if ("wrapped" in schema && isSchema(schema.wrapped)) return shapesOf(schema.wrapped);
  if (schema.type === "variant" && "options" in schema && Array.isArray(schema.options))
    return schema.options.filter(isSchema).flatMap((option) => shapesOf(option));
  return schema.type === "strict_object" && "entries" in schema && isShape(schema.entries) ? [schema.entries] : [];
}

/** Whether an input's discriminator selects this option of a variant. True for a schema without variants. */
function takesDiscriminator(schema: Schema, shape: Shape, input: object): boolean {
  if ("wrapped" in schema && isSchema(schema.wrapped)) return takesDiscriminator(schema.wrapped, shape, input);
  if (!("key" in schema) || typeof schema.key !== "string") return true;
  const discriminator = shape[schema.key];
  return discriminator !== undefined && v.is(discriminator, Reflect.get(input, schema.key));
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "schema";
}

function isShape(value: unknown): value is Shape {
  return typeof value === "object" && value !== null && Object.values(value).every(isSchema);
}
