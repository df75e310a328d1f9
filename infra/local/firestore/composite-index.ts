import { status } from "@grpc/grpc-js";
import type { Plan } from "./plan.ts";
import { Refusal } from "./refusal.ts";

/** A composite index in the form of `firestore.indexes.json`. */
export interface CompositeIndex {
  readonly collectionGroup: string;
  readonly queryScope: string;
  readonly fields: readonly {
    readonly fieldPath: string;
    readonly order?: string | undefined;
    readonly arrayConfig?: string | undefined;
  }[];
}

/**
 * Throws FAILED_PRECONDITION if the real service would refuse a query because a composite index is missing. Equalities alone need none
 * (single-field indexes are merged), nor does one sorted field alone. Any other order needs an index with the equalities first, in any
 * sequence, then the sorted fields, with all directions equal or all reversed.
 */
export function checkIndexed({ scope, order, equalities }: Plan, indexes: readonly CompositeIndex[]): void {
  const sorted = order.filter(({ fieldPath }) => fieldPath !== "__name__");
  const equal = new Set(equalities.filter((path) => path !== "__name__" && !sorted.some(({ fieldPath }) => fieldPath === path)));
  if (scope.kind === "all" || sorted.length === 0 || (sorted.length === 1 && equal.size === 0)) return;
  const collection = scope.kind === "group" ? scope.collectionId : scope.collection.slice(scope.collection.lastIndexOf("/") + 1);
  const wantedScope = scope.kind === "group" ? "COLLECTION_GROUP" : "COLLECTION";
  const serves = ({ collectionGroup, queryScope, fields }: CompositeIndex): boolean => {
    if (collectionGroup !== collection || queryScope !== wantedScope || fields.length !== equal.size + sorted.length) return false;
    const directions = fields.slice(equal.size).map(({ order: direction }, index) => {
      const sign = direction === "DESCENDING" ? -1 : 1;
      return sign * (sorted[index]?.sign ?? 1);
    });
    return (
      fields.slice(0, equal.size).every(({ fieldPath }) => equal.has(fieldPath)) &&
      sorted.every(({ fieldPath }, index) => fields[equal.size + index]?.fieldPath === fieldPath) &&
      directions.every((direction) => direction === directions[0])
    );
  };
  if (indexes.some(serves)) return;
  const fields = [...[...equal].sort(), ...sorted.map(({ fieldPath, sign }) => (sign === 1 ? fieldPath : `${fieldPath} descending`))];
  throw new Refusal(status.FAILED_PRECONDITION, `The query requires an index: ${collection} (${fields.join(", ")})`);
}
