import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StoredDocument } from "./document.ts";
import { parseDocumentName } from "./names.ts";
import { planQuery } from "./plan.ts";
import { runQuery } from "./query.ts";
import { Store, type View } from "./store.ts";
import type { FieldOperator, Fields, Filter, StructuredQuery, Value } from "./wire.ts";

const DATABASE = "projects/p/databases/d";
const ROOT = `${DATABASE}/documents`;

const integer = (integerValue: string): Value => ({ valueType: "integerValue", integerValue });
const double = (doubleValue: number): Value => ({ valueType: "doubleValue", doubleValue });
const time = (nanos: number): Value => ({ valueType: "timestampValue", timestampValue: { seconds: "1", nanos } });
const list = (...values: Value[]): Value => ({ valueType: "arrayValue", arrayValue: { values } });
const map = (fields: Fields): Value => ({ valueType: "mapValue", mapValue: { fields } });

const frequent = fc.constantFrom(integer("0"), integer("1"), double(-0), double(1), double(1.5), time(0), time(1000));
const rare = fc.constantFrom<Value>(
  { valueType: "nullValue", nullValue: "NULL_VALUE" },
  { valueType: "booleanValue", booleanValue: true },
  integer("9007199254740992"),
  integer("9007199254740993"),
  double(Number.NaN),
  { valueType: "stringValue", stringValue: "1" },
  { valueType: "stringValue", stringValue: "1\n1" },
  { valueType: "bytesValue", bytesValue: Buffer.from("a") },
  { valueType: "referenceValue", referenceValue: `${ROOT}/a/1` },
  { valueType: "geoPointValue", geoPointValue: { latitude: 1, longitude: 2 } },
  list(),
  list(integer("1")),
  map({}),
  map({ p: double(1) }),
);
const value = fc.oneof({ weight: 3, arbitrary: frequent }, rare);
const fields: fc.Arbitrary<Fields> = fc.record({ n: value, m: value, o: value }, { requiredKeys: ["n"] });
const path = fc
  .tuple(fc.constantFrom("a", "a", "b", "b/1/a", "a/1/a"), fc.constantFrom("1", "2", "3", "4", "5", "6"))
  .map(([collection, id]) => `${collection}/${id}`);
const commit = fc.uniqueArray(fc.record({ path, fields: fc.option(fields, { freq: 4 }) }), {
  selector: (change) => change.path,
  maxLength: 10,
});

const field = fc.constantFrom("n", "n", "m", "o", "m.p").map((fieldPath) => ({ fieldPath }));
const comparison = fc.oneof(
  fc.record({ field, op: fc.constant<FieldOperator>("EQUAL"), value: frequent }),
  fc.record({
    field,
    op: fc.constantFrom<FieldOperator>("EQUAL", "NOT_EQUAL", "LESS_THAN", "LESS_THAN_OR_EQUAL", "GREATER_THAN", "GREATER_THAN_OR_EQUAL"),
    value,
  }),
  fc.record({ field, op: fc.constantFrom<FieldOperator>("IN", "ARRAY_CONTAINS_ANY"), value: fc.constant(list(integer("1"), double(0))) }),
);
const composite = (filters: fc.Arbitrary<Filter>) =>
  fc
    .record({
      op: fc.constantFrom<"AND" | "OR">("AND", "AND", "OR"),
      filters: fc.array(filters, { minLength: 1, maxLength: 2 }),
    })
    .map((compositeFilter): Filter => ({ compositeFilter }));
const leaf = comparison.map((fieldFilter): Filter => ({ fieldFilter }));
const filter: fc.Arbitrary<Filter> = fc.oneof(leaf, composite(leaf), composite(fc.oneof(leaf, composite(leaf))));
const sortKey = fc.record({
  field: fc.oneof({ weight: 4, arbitrary: field }, fc.constant({ fieldPath: "__name__" })),
  direction: fc.constantFrom<"ASCENDING" | "DESCENDING">("ASCENDING", "DESCENDING"),
});
const cursor = fc.record({ values: fc.array(frequent, { minLength: 1, maxLength: 2 }), before: fc.boolean() });
const question = fc.record({
  parent: fc.constantFrom(ROOT, ROOT, `${ROOT}/b/1`),
  query: fc.record({
    select: fc.constant(null),
    from: fc.record({ collectionId: fc.constantFrom("a", "a", "b"), allDescendants: fc.boolean() }).map((selector) => [selector]),
    where: fc.oneof(fc.constant(null), filter, filter),
    orderBy: fc.uniqueArray(sortKey, { selector: (key) => key.field.fieldPath, maxLength: 2 }),
    startAt: fc.oneof(fc.constant(null), fc.constant(null), cursor),
    endAt: fc.oneof(fc.constant(null), fc.constant(null), cursor),
    offset: fc.constantFrom(0, 0, 1),
    limit: fc.constantFrom(null, null, { value: 0 }, { value: 1 }, { value: 3 }),
    findNearest: fc.constant(null),
  } satisfies Record<keyof StructuredQuery, fc.Arbitrary<unknown>>),
});

function changesOf(commit: readonly { readonly path: string; readonly fields: Fields | null }[], time: number) {
  return new Map(
    commit.map(({ path, fields }): [string, StoredDocument | undefined] => {
      const name = `${ROOT}/${path}`;
      return [
        name,
        fields === null ? undefined : { ...parseDocumentName(DATABASE, name), fields, createTime: time, updateTime: time, size: 1 },
      ];
    }),
  );
}

/** Undefined for queries that are refused. */
function planOf({ parent, query }: { readonly parent: string; readonly query: StructuredQuery }) {
  try {
    return planQuery(parent, query);
  } catch {
    return undefined;
  }
}

describe("a query", () => {
  it("returns the same from an index as from a scan of all documents, whatever was written since the index was made", () => {
    let found = 0;
    fc.assert(
      fc.property(fc.array(commit, { maxLength: 10 }), fc.array(question, { minLength: 1, maxLength: 8 }), (commits, questions) => {
        const store = new Store();
        const scanned: View = { get: (name) => store.get(name), scan: (scope) => store.scan(scope), sorted: () => undefined };
        const plans = questions.flatMap((asked) => planOf(asked) ?? []);
        for (const [time, changes] of commits.entries()) {
          store.commit(changesOf(changes, time + 1), time + 1);
          for (const plan of plans) {
            const results = runQuery(store, plan);
            expect(results).toEqual(runQuery(scanned, plan));
            found += results.length;
          }
        }
      }),
      { seed: 1, numRuns: 2000 },
    );
    // Most queries of random values find little.
    expect(found).toBeGreaterThan(10_000);
  });
});
