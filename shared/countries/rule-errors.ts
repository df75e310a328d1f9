import * as v from "valibot";

/** Says what is wrong with a member of country rules, and what would be right, in a line. */
export function ruleError(issue: v.BaseIssue<unknown>): string {
  return `${v.getDotPath(issue) ?? "the file"}: ${says(issue)}`;
}

function says({ type, expected, received, message, ...issue }: v.BaseIssue<unknown>): string {
  if (type === "strict_object" && expected === "never") return "is not a member that rules have; correct its name or remove it";
  if (received === "undefined") return "is missing";
  if (!message.startsWith("Invalid ")) return /^["\d-]/.test(received) ? `${message}, not ${received}` : message;
  if (type === "picklist")
    return `must be one of ${[...(expected ?? "").matchAll(/"([^"]*)"/g)].map(([, value]) => value).join(", ")}, not ${received}`;
  if (type === "min_value" || type === "min_length") return `must be at least ${String(issue.requirement)}, not ${received}`;
  return `must be ${KINDS[type] ?? expected}, not ${received}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a text in double quotes",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list in square brackets",
  strict_tuple: "a list of four numbers",
  strict_object: "an object in braces",
  loose_object: "an object in braces",
};
