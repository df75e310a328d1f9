import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import type { FieldError } from "./errors.ts";
import { pointerTo } from "./json-pointer.ts";
import type { Schema } from "./schema.ts";
import { requiredOptions, type Shape, shapesOf, unknownFields } from "./unknown-fields.ts";

const GIVEN_ONCE = "must be given once";

/**
 * Returns all field errors of one part of a request. Unknown members come first, since they often explain the others. Valibot stops at a
 * missing or unknown variant: then what every variant would refuse is reported as well.
 */
export function errorsOf(schema: Schema, input: unknown, issues: readonly v.BaseIssue<unknown>[] = []): FieldError[] {
  const isOfNoVariant = issues.some(({ type, path }) => type === "variant" && path?.length === 1);
  const unknown = unknownFields(schema, input);
  const named = new Set(unknown.map(({ pointer }) => pointer));
  const options = requiredOptions(schema, input);
  const found = [...unknown, ...fieldErrors(issues, options).filter(({ pointer }) => !named.has(pointer))];
  if (!isOfNoVariant) return found;
  const told = new Set(found.map(({ pointer }) => pointer));
  return [...found, ...errorsOfAllVariants(schema, input).filter(({ pointer }) => !told.has(pointer))];
}

/** Returns the field errors that a member has in every variant alike. */
function errorsOfAllVariants(schema: Schema, input: unknown): FieldError[] {
  const [first = {}, ...others] = shapesOf(schema);
  const errorsIn = (shape: Shape, name: string): FieldError[] => {
    const member = shape[name];
    return member === undefined ? [] : fieldErrors(v.safeParse(v.object({ [name]: member }), input).issues ?? []);
  };
  return Object.keys(first).flatMap((name) => {
    const errors = errorsIn(first, name);
    return others.every((shape) => isDeepStrictEqual(errorsIn(shape, name), errors)) ? errors : [];
  });
}

/** Returns all field errors of a query. A parameter that takes one value and was repeated is told so: each of its values may be valid. */
export function queryErrorsOf(schema: Schema, query: unknown, issues: readonly v.BaseIssue<unknown>[] = []): FieldError[] {
  const repeated = new Set(
    issues.flatMap(({ kind, input, path }) =>
      kind === "schema" && Array.isArray(input) ? [pointerTo((path ?? []).map(({ key }) => key))] : [],
    ),
  );
  return errorsOf(schema, query, issues).map((error) =>
    repeated.has(error.pointer) && !error.detail.startsWith(GIVEN_ONCE) ? { ...error, detail: GIVEN_ONCE } : error,
  );
}

/** Converts valibot's issues to field errors: a pointer, what is wrong, and the valid values. */
export function fieldErrors(
  issues: readonly v.BaseIssue<unknown>[],
  options: ReadonlyMap<string, readonly string[]> = new Map(),
): FieldError[] {
  return issues.map((issue) => {
    const missing = issue.received === "undefined" && issue.path?.length === 1 ? options.get(String(issue.path[0].key)) : undefined;
    const allowed = missing ?? allowedValues(issue);
    return {
      pointer: pointerTo((issue.path ?? []).map(({ key }) => key)),
      detail: describe(issue, allowed),
      ...(allowed.length > 0 ? { allowed } : {}),
    };
  });
}

function describe(issue: v.BaseIssue<unknown>, allowed: readonly string[]): string {
  if (issue.type === "strict_object" && issue.expected === "never") return "is not a known field";
  if (issue.received === "undefined") return issue.path ? `is required${listing(allowed)}` : "A JSON object is required as the body";
  if (allowed.length > 0 && issue.message.startsWith("Invalid "))
    return `must be ${allowed.length === 1 ? "" : "one of "}${allowed.join(", ")}`;
  const right = issue.message.startsWith("Invalid ") ? `must be ${expectation(issue.expected)}` : issue.message;
  return isQuotedValue(issue) ? `${right}, without quotation marks` : right;
}

/** Whether a number, or true or false, was written as a text. */
function isQuotedValue({ kind, expected, input }: v.BaseIssue<unknown>): boolean {
  if (kind !== "schema" || typeof input !== "string") return false;
  if (expected === "boolean") return input === "true" || input === "false";
  return expected === "number" && input.trim() !== "" && Number.isFinite(Number(input));
}

function listing(allowed: readonly string[]): string {
  return allowed.length > 0 ? `: ${allowed.join(", ")}` : "";
}

/** Valibot writes the expected values of picklists, literals and variants as `("a" | "b")`. */
function allowedValues({ type, expected }: v.BaseIssue<unknown>): string[] {
  if (!["picklist", "literal", "variant"].includes(type)) return [];
  return [...(expected ?? "").matchAll(/"([^"]*)"/g)].map(([, value = ""]) => value);
}

function expectation(expected: string | null): string {
  if (expected === "Object") return "a JSON object";
  if (expected === "Array") return "an array";
  if (expected === "boolean") return "true or false";
  return expected === null ? "different" : `a ${expected}`;
}
