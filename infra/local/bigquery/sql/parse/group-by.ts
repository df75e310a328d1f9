import type { Expression, Select } from "./ast.ts";
import type { Cursor } from "./cursor.ts";
import { parseExpression } from "./expression.ts";

/** The keys of one element of ROLLUP, CUBE or GROUPING SETS, as their places in the list of all keys. */
type Keys = readonly number[];

/** More keys than that would make more sets than BigQuery allows. */
const CUBE_MAX = 10;

/** Parses `GROUP BY …`, with ROLLUP, CUBE and GROUPING SETS as the sets of keys that they stand for. */
export function parseGroupBy(cursor: Cursor): Pick<Select, "groupBy" | "groupingSets"> {
  if (!cursor.takeWord("GROUP", "BY")) return { groupBy: [], groupingSets: undefined };
  if (cursor.takeWord("ALL")) return { groupBy: "ALL", groupingSets: undefined };
  const keys: Expression[] = [];
  const groupingSets = cursor.takeWord("GROUPING", "SETS")
    ? cursor.parenthesised(() => cursor.list(() => sets(cursor, keys) ?? [element(cursor, keys)])).flat()
    : sets(cursor, keys);
  if (groupingSets) return { groupBy: keys, groupingSets };
  return { groupBy: cursor.list(() => parseExpression(cursor)), groupingSets: undefined };
}

/** Parses ROLLUP or CUBE. Undefined if neither follows. */
function sets(cursor: Cursor, keys: Expression[]): readonly Keys[] | undefined {
  const { at } = cursor.peek();
  const isRollup = cursor.takeWord("ROLLUP");
  if (!isRollup && !cursor.takeWord("CUBE")) return undefined;
  const elements = cursor.parenthesised(() => cursor.list(() => element(cursor, keys)));
  if (isRollup) return [...elements.keys(), elements.length].reverse().map((count) => elements.slice(0, count).flat());
  if (elements.length > CUBE_MAX)
    throw cursor.failAt({ ...cursor.peek(), at }, `CUBE of more than ${CUBE_MAX} elements is not supported by the local BigQuery`);
  let found: readonly Keys[] = [[]];
  for (const own of elements.toReversed()) found = [...found.map((set) => [...own, ...set]), ...found];
  return found;
}

/** Parses a key, or several in parentheses. */
function element(cursor: Cursor, keys: Expression[]): Keys {
  if (cursor.isSymbol("(") && cursor.isSymbol(")", 1)) {
    cursor.next();
    cursor.next();
    return [];
  }
  const key = parseExpression(cursor);
  const parts = key.kind === "struct" && key.tuple ? key.items.map(({ value }) => value) : [key];
  return parts.map((part) => keys.push(part) - 1);
}
