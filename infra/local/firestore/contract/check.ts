import type { CollectionReference, Firestore, Settings } from "@google-cloud/firestore";
import { status } from "@grpc/grpc-js";
import { expect } from "vitest";

/** What a check works with: a real client of a running engine. */
export interface Engine {
  readonly address: string;
  readonly project: string;
  readonly db: Firestore;
  /** A collection that nobody else uses. */
  fresh(): CollectionReference;
  /** Another client, ended with the engine. */
  connect(settings: Settings): Firestore;
}

/** One guarantee that every engine gives, named by its name. */
export interface Check {
  readonly name: string;
  readonly run: (engine: Engine) => Promise<void>;
}

/** Asserts that a call is refused with a gRPC status code. */
export async function refused(call: Promise<unknown>, code: status): Promise<void> {
  const outcome = await call.then(
    () => "was done",
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );
  expect(outcome, `the status, ${code} is ${status[code]}`).toBe(code);
}

/** A promise and the means to settle it from elsewhere. */
export function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { given: promise, give: resolve };
}
