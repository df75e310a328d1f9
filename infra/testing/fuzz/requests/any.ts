import fc from "fast-check";
import type { Operation } from "../openapi.ts";
import { nearlyValidRequests, validRequests } from "./from-document.ts";
import type { Sketch } from "./sketch.ts";
import { wildRequests } from "./wild.ts";
import type { Knowledge } from "./words.ts";

/** Draws requests to all operations with equal weight: a third valid, nearly half nearly valid, the rest wild. */
export function anyRequest(operations: readonly Operation[], knowledge: Knowledge): fc.Arbitrary<Sketch> {
  return fc.oneof(
    { arbitrary: fc.oneof(...operations.map((operation) => validRequests(operation, knowledge))), weight: 3 },
    { arbitrary: fc.oneof(...operations.map((operation) => nearlyValidRequests(operation, knowledge))), weight: 4 },
    { arbitrary: wildRequests(operations, knowledge), weight: 2 },
  );
}
