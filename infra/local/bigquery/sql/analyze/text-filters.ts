import type { TableRead } from "../../model.ts";
import type { Expression } from "../parse/ast.ts";
import type { Env } from "./env.ts";
import { resolvePath } from "./name.ts";
import type { Read } from "./value.ts";

/** The texts of a condition `column = 'text'` or `column IN ('text', …)`, and the column's expression. */
function compared(node: Expression): { readonly of: Expression; readonly texts: readonly string[] } | undefined {
  if (node.kind === "in-list" && !node.not) return withTexts(node.of, node.items);
  if (node.kind !== "binary" || node.operator !== "=") return undefined;
  return withTexts(node.left, [node.right]) ?? withTexts(node.right, [node.left]);
}

function withTexts(of: Expression, values: readonly Expression[]) {
  const texts = values.flatMap((value) => (value.kind === "literal" && value.type === "STRING" ? [value.text] : []));
  return of.kind === "path" && texts.length === values.length ? { of, texts } : undefined;
}

/**
 * Notes for a read that a condition compares one of its columns to texts, so that rows with other values do not matter. A column of an outer
 * query is left out: it may matter there.
 */
export function noteTexts(condition: Expression, env: Env, restricts: (read: Read) => boolean): void {
  const found = compared(condition);
  const column = found?.of.kind === "path" ? resolvePath(found.of, env)?.column : undefined;
  if (!found || !column?.base || !env.scope.has(column) || !restricts(column.base.read)) return;
  column.base.read.texts.set(column.base.column, found.texts);
}

/** Returns the columns that all reads of a table compare to texts, with all of these; undefined if there are none. */
export function mergedTexts(reads: readonly Read[]): TableRead["texts"] {
  const names = [...new Set(reads.flatMap(({ texts }) => [...texts.keys()]))].filter((name) => reads.every(({ texts }) => texts.has(name)));
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, [...new Set(reads.flatMap(({ texts }) => texts.get(name) ?? []))]]));
}
