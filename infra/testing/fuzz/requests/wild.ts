import fc from "fast-check";
import type { Operation } from "../openapi.ts";
import { validRequests } from "./from-document.ts";
import type { Sketch } from "./sketch.ts";
import { damaged, wildBodies } from "./wild-bodies.ts";
import { headers, methods, queries, targetsNear, types } from "./wild-lines.ts";
import type { Knowledge } from "./words.ts";

/** Draws requests that no program makes: anything that can be sent, and valid requests with one broken part. */
export function wildRequests(operations: readonly Operation[], knowledge: Knowledge): fc.Arbitrary<Sketch> {
  return fc.oneof(
    ...operations.map((operation) => anything(operation, operations)),
    ...operations.map((operation) => broken(operation, knowledge)),
  );
}

const mostly = <T>(usual: T, others: fc.Arbitrary<T>): fc.Arbitrary<T> => fc.oneof({ arbitrary: fc.constant(usual), weight: 3 }, others);

/** Draws any method, path, query, headers and body, near an operation. */
function anything({ api, method, path }: Operation, operations: readonly Operation[]): fc.Arbitrary<Sketch> {
  const names = operations.map(({ operationId }) => operationId);
  return fc
    .record({
      api: mostly(api, fc.constantFrom("users" as const, "data" as const)),
      functionName: mostly(undefined, fc.constantFrom(...names)),
      method: mostly(method, methods),
      target: fc.tuple(targetsNear(path), queries).map((parts) => parts.join("")),
      withKey: mostly(true, fc.constant(false)),
      others: fc.array(headers, { maxLength: 3 }),
      type: types,
      content: wildBodies,
    })
    .map(({ others, type, content, ...line }) => {
      const isBodied = !["GET", "HEAD", "TRACE"].includes(line.method) || content.body.length > 100;
      const sent = isBodied
        ? { headers: [["content-type", type] as const, ...others], body: content.body }
        : { headers: others, body: undefined };
      return { kind: "wild", ...line, ...sent, encoding: content.encoding };
    });
}

/** Draws a valid request with a wrong body, content type, method or key. */
function broken(operation: Operation, knowledge: Knowledge): fc.Arbitrary<Sketch> {
  const valid = validRequests(operation, knowledge).map((sketch): Sketch => ({ ...sketch, kind: "wild" }));
  const ofBody = valid.chain((sketch) => damaged(fc.constant(sketch.body ?? "{}")).map((body): Sketch => ({ ...sketch, body })));
  const ofType = fc
    .tuple(valid, types)
    .map(([sketch, type]): Sketch => ({ ...sketch, headers: [["content-type", type]], body: sketch.body ?? "{}" }));
  const ofMethod = fc.tuple(valid, methods).map(([sketch, method]): Sketch => ({ ...sketch, method }));
  const ofKey = fc.tuple(valid, fc.constantFrom("", "f".repeat(64), "x", "F".repeat(63))).map(([sketch, key]): Sketch => {
    return { ...sketch, withKey: false, headers: [["x-api-key", key], ...sketch.headers] };
  });
  return operation.body ? fc.oneof(ofBody, ofType, ofMethod, ofKey) : fc.oneof(ofMethod, ofKey);
}
