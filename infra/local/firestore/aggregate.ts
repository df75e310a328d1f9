import type { StoredDocument } from "./document.ts";
import { fieldReader } from "./filter.ts";
import { invalid } from "./refusal.ts";
import type { Aggregation, Value } from "./wire.ts";

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** The fields that a document must have to be aggregated. They apply to counts too. */
export function aggregatedFields(aggregations: readonly Aggregation[]): string[] {
  return aggregations.flatMap(({ sum, avg }) => sum?.field?.fieldPath ?? avg?.field?.fieldPath ?? []);
}

/** Computes the aggregations over a query's documents, by alias. Throws INVALID_ARGUMENT if one is malformed. */
export function aggregate(documents: readonly StoredDocument[], aggregations: readonly Aggregation[]): Record<string, Value> {
  if (aggregations.length === 0) throw invalid("An aggregation query must have at least one aggregation.");
  const results: Record<string, Value> = {};
  for (const [index, aggregation] of aggregations.entries()) {
    results[aggregation.alias || `field_${index + 1}`] = aggregateOne(documents, aggregation);
  }
  return results;
}

function aggregateOne(documents: readonly StoredDocument[], { count, sum, avg }: Aggregation): Value {
  if (count !== undefined) {
    const upTo = count.upTo === null ? Number.POSITIVE_INFINITY : Number(count.upTo.value);
    return { valueType: "integerValue", integerValue: String(Math.min(documents.length, upTo)) };
  }
  const read = fieldReader(sum?.field ?? avg?.field);
  const numbers = documents.map(read).filter((value) => value?.valueType === "integerValue" || value?.valueType === "doubleValue");
  if (sum !== undefined) return total(numbers);
  if (numbers.length === 0) return { valueType: "nullValue", nullValue: "NULL_VALUE" };
  return { valueType: "doubleValue", doubleValue: asDouble(total(numbers)) / numbers.length };
}

/** Returns an integer if all values are integers and the sum fits 64 bits, else a double. */
function total(numbers: readonly (Value | undefined)[]): Value {
  let integers = 0n;
  let doubles = 0;
  let exact = true;
  for (const value of numbers) {
    if (value?.valueType === "integerValue") integers += BigInt(value.integerValue);
    if (value?.valueType !== "doubleValue") continue;
    doubles += value.doubleValue;
    exact = false;
  }
  if (exact && integers >= INT64_MIN && integers <= INT64_MAX) return { valueType: "integerValue", integerValue: integers.toString() };
  return { valueType: "doubleValue", doubleValue: Number(integers) + doubles };
}

function asDouble(value: Value): number {
  if (value.valueType === "doubleValue") return value.doubleValue;
  return value.valueType === "integerValue" ? Number(value.integerValue) : Number.NaN;
}
