import { Filter, type Query, Timestamp } from "@google-cloud/firestore";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BothEngines, connectBothEngines } from "../../testing/contracts/firestore/both-engines.ts";

let engines: BothEngines;

beforeAll(async () => {
  engines = await connectBothEngines("demo-engines");
});

afterAll(() => engines.end());

const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, Number.NaN, Number.NEGATIVE_INFINITY, -0, "", "a", "aa", "é", "\uffff", "😀"),
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: 6 }).map((halves) => halves / 2),
  fc.tuple(fc.nat(2), fc.nat(2)).map(([seconds, micros]) => new Timestamp(seconds, micros * 1000)),
  fc.uint8Array({ maxLength: 2 }).map((bytes) => Buffer.from(bytes)),
);
const list = fc.array(scalar, { maxLength: 2 });
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  list,
  fc.dictionary(fc.constantFrom("p", "q"), fc.oneof(scalar, list), { maxKeys: 2 }),
);
const documents = fc.dictionary(
  fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"),
  fc.dictionary(fc.constantFrom("n", "m"), value, { maxKeys: 2 }),
  { minKeys: 4 },
);

const field = fc.constantFrom("n", "m", "n.p", "m.q");
const operand = scalar.filter((operand) => operand !== null && !Number.isNaN(operand));
const filter = fc.oneof(
  fc.tuple(field, fc.constantFrom("==", "!="), value),
  fc.tuple(field, fc.constantFrom("<", "<=", ">", ">=", "array-contains"), operand),
  fc.tuple(field, fc.constantFrom("in", "not-in", "array-contains-any"), fc.array(value, { minLength: 1, maxLength: 3 })),
);
const question = fc.record({
  all: fc.array(filter, { maxLength: 2 }),
  any: fc.option(fc.tuple(filter, filter), { freq: 5 }),
  order: fc.uniqueArray(fc.tuple(field, fc.constantFrom("asc", "desc")), { selector: ([path]) => path, maxLength: 2 }),
  cursor: fc.option(fc.tuple(fc.constantFrom("startAt", "startAfter", "endAt", "endBefore"), scalar)),
  limit: fc.option(fc.integer({ min: 1, max: 4 })),
  offset: fc.option(fc.integer({ min: 1, max: 2 }), { freq: 8 }),
});

function build(
  collection: Query,
  { all, any, order, cursor, limit, offset }: typeof question extends fc.Arbitrary<infer T> ? T : never,
): Query {
  let query = collection;
  for (const [path, op, wanted] of all) query = query.where(path, op, wanted);
  if (any !== null) query = query.where(Filter.or(...any.map(([path, op, wanted]) => Filter.where(path, op, wanted))));
  for (const [path, direction] of order) query = query.orderBy(path, direction);
  if (cursor !== null && order.length > 0) query = query[cursor[0]](cursor[1]);
  if (limit !== null) query = query.limit(limit);
  return offset === null ? query : query.offset(offset);
}

/** Returns the ids that a query finds, or its error. Uses a listener, because the client retries a refused `get` for seconds. */
function answer(query: Query): Promise<string> {
  return new Promise((resolve) => {
    const stop = query.onSnapshot(
      ({ docs }) => {
        stop();
        resolve(docs.map(({ id }) => id).join(""));
      },
      () => resolve("refused"),
    );
  });
}

describe("the embedded engine", () => {
  it("returns the same results as Google's for any query over any documents", { timeout: 300_000 }, async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(documents, fc.array(question, { minLength: 10, maxLength: 10 }), async (contents, questions) => {
        round += 1;
        const collections = engines.both.map((db) => db.collection(`round-${round}`));
        for (const collection of collections) {
          await Promise.all(Object.entries(contents).map(([id, fields]) => collection.doc(id).set(fields)));
        }
        for (const asked of questions) {
          const [embedded, google] = await Promise.all(collections.map((collection) => answer(build(collection, asked))));
          expect(embedded).toBe(google);
        }
      }),
      { numRuns: 60, seed: 1 },
    );
  });
});
