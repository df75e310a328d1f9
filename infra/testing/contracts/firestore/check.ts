import type { CollectionReference, Firestore, Settings } from "@google-cloud/firestore";
import { status } from "@grpc/grpc-js";
import { expect } from "vitest";

/** The environment of a check: a real client of a running engine. */
export interface Engine {
  readonly address: string;
  readonly project: string;
  readonly db: Firestore;
  /** Returns a collection that no other check uses. */
  fresh(): CollectionReference;
  /** Returns another client. It is terminated with the engine. */
  connect(settings: Settings): Firestore;
}

/** One guarantee that every engine must meet. */
export interface Check {
  readonly name: string;
  readonly run: (engine: Engine) => Promise<void>;
}

/** Asserts that a call fails with a gRPC status code. */
export async function refused(call: Promise<unknown>, code: status): Promise<void> {
  const outcome = await call.then(
    () => "succeeded",
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );
  expect(outcome, `the status, ${code} is ${status[code]}`).toBe(code);
}

/** Returns a promise and a function that resolves it. */
export function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { given: promise, give: resolve };
}
