import type { Body, Written } from "./configuration.ts";
import { evaluate, type Scope, withVariables } from "./language/evaluate.ts";
import { asList, entriesOf, type Fields, Unknown, type Value } from "./language/value.ts";

/** Evaluates a body's arguments and blocks. Blocks of one name form a list, dynamic ones last. */
export function evaluateBody({ fields }: Body, scope: Scope, without: ReadonlySet<string> = new Set()): Fields {
  const made = new Map<string, Value>();
  for (const [name, value] of fields) if (!without.has(name) && name !== "dynamic") made.set(name, evaluateWritten(value, scope));
  const dynamic = fields.get("dynamic");
  const blocks = dynamic !== undefined && "fields" in dynamic ? [...dynamic.fields] : [];
  for (const [name, written] of blocks) {
    const more = listOf(written).flatMap((one) => expand(name, one, scope));
    made.set(name, [...asList(made.get(name) ?? []), ...more]);
  }
  return Object.fromEntries(made);
}

/** Evaluates the blocks of one name. */
export function listOf(written: Written | undefined): Body[] {
  if (written === undefined || "kind" in written) return [];
  return "fields" in written ? [written] : written.flatMap(listOf);
}

/** Evaluates a dynamic block: one block per element, bound to the block's name or its iterator's. */
function expand(block: string, { fields }: Body, scope: Scope): Value[] {
  const over = evaluateWritten(known(fields.get("for_each"), `for_each of ${block}`), scope);
  const iterator = fields.get("iterator");
  const name = iterator !== undefined && "kind" in iterator && iterator.kind === "name" ? iterator.root : block;
  const [content] = listOf(fields.get("content"));
  if (over instanceof Unknown) throw new Error(`${block}: for_each is not known before an apply: ${over.of}`);
  return entriesOf(over).map(([key, value]) => evaluateBody(known(content, block), withVariables(scope, { [name]: { key, value } })));
}

/** Evaluates an argument. */
export function evaluateWritten(value: Written, scope: Scope): Value {
  if ("kind" in value) return evaluate(value, scope);
  return "fields" in value ? evaluateBody(value, scope) : value.map((one) => evaluateWritten(one, scope));
}

/** Returns a defined value. Throws for undefined. */
export function known<Found>(found: Found | undefined, name: string): Found {
  if (found === undefined) throw new Error(`There is no ${name}`);
  return found;
}
