import type * as v from "valibot";
import type { FieldError } from "../errors.ts";

/** Field errors of a request from the issues that valibot found: a pointer, what is wrong, and the values that would be right. */
export function fieldErrors(issues: readonly v.BaseIssue<unknown>[]): FieldError[] {
  return issues.map((issue) => {
    const allowed = allowedValues(issue);
    return {
      pointer: pointerTo(issue),
      detail: describe(issue, allowed),
      ...(allowed.length > 0 ? { allowed } : {}),
    };
  });
}

/** RFC 6901: `~` and `/` in a name are escaped. */
function pointerTo(issue: v.BaseIssue<unknown>): string {
  return (issue.path ?? []).map(({ key }) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function describe(issue: v.BaseIssue<unknown>, allowed: readonly string[]): string {
  if (issue.type === "strict_object" && issue.expected === "never") return "is not a known field";
  if (issue.received === "undefined") return issue.path ? `is required${listing(allowed)}` : "A JSON object is required as the body";
  if (allowed.length > 0) return `must be ${allowed.length === 1 ? "" : "one of "}${allowed.join(", ")}`;
  if (issue.message.startsWith("Invalid ")) return `must be ${expectation(issue.expected)}`;
  return issue.message;
}

function listing(allowed: readonly string[]): string {
  return allowed.length > 0 ? `: ${allowed.join(", ")}` : "";
}

/** Picklists, literals and variants write what they expect as `("a" | "b")`. */
function allowedValues({ type, expected }: v.BaseIssue<unknown>): string[] {
  if (!["picklist", "literal", "variant"].includes(type)) return [];
  return [...(expected ?? "").matchAll(/"([^"]*)"/g)].map(([, value = ""]) => value);
}

function expectation(expected: string | null): string {
  if (expected === "Object") return "a JSON object";
  if (expected === "Array") return "an array";
  return expected === null ? "different" : `a ${expected}`;
}
