import fc from "fast-check";
import type { Operation } from "../openapi.ts";
import { nearlyValidRequests, validRequests } from "./from-document.ts";
import type { Sketch } from "./sketch.ts";
import { wildRequests } from "./wild.ts";
import type { Knowledge } from "./words.ts";

/** Draws requests: a third valid, nearly half nearly valid, the rest wild. Operations without input are drawn less often: they vary little. */
export function anyRequest(operations: readonly Operation[], knowledge: Knowledge): fc.Arbitrary<Sketch> {
  const weighed = (requests: (operation: Operation, knowledge: Knowledge) => fc.Arbitrary<Sketch>) =>
    fc.oneof(
      ...operations.map((operation) => ({
        arbitrary: requests(operation, knowledge),
        weight: operation.body || operation.parameters.length > 0 ? 4 : 1,
      })),
    );
  return fc.oneof(
    { arbitrary: weighed(validRequests), weight: 3 },
    { arbitrary: weighed(nearlyValidRequests), weight: 4 },
    { arbitrary: wildRequests(operations, knowledge), weight: 2 },
  );
}
