import {
  type CollectionReference,
  type DocumentReference,
  FieldValue,
  type Firestore,
  GeoPoint,
  Timestamp,
  type WriteBatch,
} from "@google-cloud/firestore";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BothEngines, connectBothEngines } from "../../testing/contracts/firestore/both-engines.ts";

let engines: BothEngines;

beforeAll(async () => {
  // Integers are bigints, so that they are told from doubles.
  engines = await connectBothEngines("demo-writes", { useBigInt: true });
});

afterAll(() => engines.end());

/** The last second that a timestamp can have. */
const LAST_SECOND = 253_402_300_799;

/** The values of a round are of one family, so that those meet that an engine may take for each other. */
const FAMILIES: readonly (readonly unknown[])[] = [
  [0n, -0, 1n, 1.5, Number.NaN, null],
  [2n ** 53n, 2 ** 53, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n), 2 ** 63, 1e300, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  [new Timestamp(1, 1_000), new Timestamp(1, 1_999), new Timestamp(LAST_SECOND, 999_998_000), new Timestamp(LAST_SECOND, 999_999_000)],
  ["", "a", "é", "\uffff", "😀", Buffer.from("a"), true, false, new GeoPoint(0, 0), new GeoPoint(0, 1)],
];
/** The client takes neither bigints nor NaN here. Whole numbers are integers. */
const operand = fc.constantFrom(0, 1, 2, -0, 0.5, 1.5, 2 ** 53 - 1, -(2 ** 53) + 1, 1e300);
const field = fc.constantFrom("n", "m");
const nested = fc.constantFrom("n.p", "m.p", "m.q");

/** Writes whose values are of a family. */
function writesOf(family: readonly unknown[]) {
  const scalar = fc.constantFrom(...family);
  const list = fc.array(scalar, { maxLength: 3 });
  const elements = fc.array(scalar, { minLength: 1, maxLength: 3 });
  const written = fc.oneof(
    { weight: 6, arbitrary: scalar },
    { weight: 3, arbitrary: list },
    fc.dictionary(fc.constantFrom("p", "q"), fc.oneof(scalar, list), { maxKeys: 2 }),
    operand.map((number) => FieldValue.increment(number)),
    operand.map((number) => FieldValue.maximum(number)),
    operand.map((number) => FieldValue.minimum(number)),
    { weight: 2, arbitrary: elements.map((some) => FieldValue.arrayUnion(...some)) },
    { weight: 2, arbitrary: elements.map((some) => FieldValue.arrayRemove(...some)) },
  );
  const changed = fc.oneof({ weight: 8, arbitrary: written }, fc.constant(FieldValue.delete()));
  const change = fc.oneof(
    fc.record({ kind: fc.constantFrom("create", "set"), fields: fc.dictionary(field, written, { maxKeys: 2 }) }),
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("merge"), fields: fc.dictionary(field, changed, { maxKeys: 2 }) }) },
    fc.record({
      kind: fc.constantFrom("update", "updateAtTime"),
      fields: fc.oneof(
        fc.dictionary(field, changed, { minKeys: 1, maxKeys: 2 }),
        fc.dictionary(nested, changed, { minKeys: 1, maxKeys: 2 }),
      ),
    }),
    fc.record({ kind: fc.constantFrom("delete", "deleteExisting", "deleteAtTime"), fields: fc.constant({}) }),
  );
  return fc.record({ id: fc.constantFrom("a", "b"), change, isStale: fc.boolean() });
}

const sequence = fc
  .constantFrom(...FAMILIES)
  .chain((family) => fc.array(fc.array(writesOf(family), { minLength: 1, maxLength: 3 }), { minLength: 6, maxLength: 12 }));
type Write = ReturnType<typeof writesOf> extends fc.Arbitrary<infer T> ? T : never;
type UpdateTimes = Map<string, Timestamp>;

const NEVER = new Timestamp(5, 0);

function add(batch: WriteBatch, document: DocumentReference, { change: { kind, fields }, isStale }: Write, times: UpdateTimes): void {
  const lastUpdateTime = (isStale ? undefined : times.get(document.id)) ?? NEVER;
  if (kind === "create") batch.create(document, fields);
  else if (kind === "set") batch.set(document, fields);
  else if (kind === "merge") batch.set(document, fields, { merge: true });
  else if (kind === "update") batch.update(document, fields);
  else if (kind === "updateAtTime") batch.update(document, fields, { lastUpdateTime });
  else if (kind === "delete") batch.delete(document);
  else if (kind === "deleteExisting") batch.delete(document, { exists: true });
  else batch.delete(document, { lastUpdateTime });
}

/** Text that tells any two stored values apart: integers from doubles, 0 from -0. */
function textOf(held: unknown): string {
  if (typeof held === "bigint") return `${held}n`;
  if (Object.is(held, -0)) return "-0";
  if (held instanceof Timestamp) return `time ${held.seconds} ${held.nanoseconds}`;
  if (held instanceof GeoPoint) return `point ${textOf(held.latitude)} ${textOf(held.longitude)}`;
  if (Buffer.isBuffer(held)) return `bytes ${held.toString("hex")}`;
  if (Array.isArray(held)) return `[${held.map(textOf).join(", ")}]`;
  if (held === null || typeof held !== "object") return typeof held === "string" ? JSON.stringify(held) : String(held);
  const members = Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, inner]) => `${key}: ${textOf(inner)}`).join(", ")}}`;
}

/** Commits writes. Returns the status, and the documents then, each with whether its update time has moved. Notes those times in `times`. */
async function commit(db: Firestore, collection: CollectionReference, writes: readonly Write[], times: UpdateTimes): Promise<string> {
  const batch = db.batch();
  for (const one of writes) add(batch, collection.doc(one.id), one, times);
  const status = await batch.commit().then(
    (results) => `written at ${new Set(results.map(({ writeTime }) => writeTime.valueOf())).size} times`,
    (error: unknown) => `refused: ${error instanceof Error && "code" in error ? error.code : error}`,
  );
  const { docs } = await collection.get();
  const held = docs.map((document) => {
    const { id, createTime, updateTime } = document;
    const since = times.get(id)?.isEqual(updateTime) ? "as before" : createTime.isEqual(updateTime) ? "new" : "changed";
    return `${id} ${since}: ${textOf(document.data())}`;
  });
  times.clear();
  for (const { id, updateTime } of docs) times.set(id, updateTime);
  return [status, ...held].join("\n");
}

describe("the embedded engine", () => {
  it("does the same as Google's for any sequence of commits", { timeout: 300_000 }, async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(sequence, async (commits) => {
        round += 1;
        const sides = engines.both.map((db) => ({ db, collection: db.collection(`round-${round}`), times: new Map<string, Timestamp>() }));
        for (const writes of commits) {
          const [embedded, google] = await Promise.all(sides.map(({ db, collection, times }) => commit(db, collection, writes, times)));
          expect(embedded).toBe(google);
        }
      }),
      { numRuns: 150, seed: 1 },
    );
  });
});
