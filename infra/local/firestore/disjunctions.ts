import { invalid } from "./refusal.ts";
import type { FieldOperator, Filter, Value } from "./wire.ts";

/** The real service's limit. Source: https://firebase.google.com/docs/firestore/query-data/queries#query_limitations */
const DISJUNCTIONS_MAX = 30;
/** Where counting ends: the conditions of one query can multiply to more than memory holds. */
const COUNT_MAX = 10_000;

/** Operators that hold if one element of their list does. */
const EACH: Partial<Record<FieldOperator, FieldOperator>> = { IN: "EQUAL", ARRAY_CONTAINS_ANY: "ARRAY_CONTAINS" };

/**
 * Throws INVALID_ARGUMENT for a filter of more than 30 conjunctions in disjunctive normal form. Equal conditions and equal conjunctions count
 * once, as in Google's emulator.
 */
export function checkDisjunctions(filter: Filter | null): void {
  if (filter === null) return;
  const { size } = conjunctions(filter);
  if (size > DISJUNCTIONS_MAX)
    throw invalid(
      `Too many disjunctions after normalization. Result had ${size} disjunctions which is more than the maximum of ${DISJUNCTIONS_MAX}`,
    );
}

/** The conjunctions of a filter's disjunctive normal form, by key: each the keys of its conditions, in order. */
function conjunctions(filter: Filter): ReadonlyMap<string, readonly string[]> {
  const { compositeFilter, fieldFilter, unaryFilter } = filter;
  if (unaryFilter) return disjunction([[JSON.stringify([unaryFilter.field?.fieldPath, unaryFilter.op])]]);
  if (fieldFilter) {
    const { field, op, value } = fieldFilter;
    const each = EACH[op];
    const values = each !== undefined && value?.valueType === "arrayValue" ? value.arrayValue.values : [value];
    return disjunction(values.map((one) => [JSON.stringify([field?.fieldPath, each ?? op, one && keyOf(one, each !== undefined)])]));
  }
  const parts = compositeFilter?.filters ?? [];
  if (compositeFilter?.op === "OR") return disjunction(parts.flatMap((part) => [...conjunctions(part).values()]));
  // A condition that stands twice is one: without this, equal lists would be multiplied.
  const distinct = new Map(parts.map(conjunctions).map((found) => [[...found.keys()].sort().join(), found]));
  let all = disjunction([[]]);
  for (const found of distinct.values()) {
    const pairs: string[][] = [];
    for (const left of all.values()) for (const right of found.values()) if (pairs.length < COUNT_MAX) pairs.push([...left, ...right]);
    all = disjunction(pairs);
  }
  return all;
}

function disjunction(found: readonly (readonly string[])[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    found.map((conditions) => {
      const distinct = [...new Set(conditions)].sort();
      return [distinct.join(), distinct];
    }),
  );
}

/** A key that equal values share. In a list, null and NaN share one: neither matches anything. */
function keyOf(value: Value, isListed: boolean): unknown {
  switch (value.valueType) {
    case "nullValue":
      return null;
    case "doubleValue":
      if (isListed && Number.isNaN(value.doubleValue)) return null;
      return ["double", Object.is(value.doubleValue, -0) ? "-0" : String(value.doubleValue)];
    case "bytesValue":
      return ["bytes", Buffer.from(value.bytesValue).toString("base64")];
    case "arrayValue":
      return ["array", value.arrayValue.values.map((element) => keyOf(element, false))];
    case "mapValue":
      return [
        "map",
        Object.entries(value.mapValue.fields)
          .sort(byName)
          .map(([name, held]) => [name, keyOf(held, false)]),
      ];
    default:
      return value;
  }
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);
