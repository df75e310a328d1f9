import { status } from "@grpc/grpc-js";
import { WriteFault } from "../persistence/faults.ts";
import { RpcError } from "../tasks/wire/rpc-error.ts";

/** An error that Firestore returns to the client: a gRPC status code and the text that the client sees. */
export class Refusal extends Error {
  readonly code: status;

  constructor(code: status, message: string) {
    super(message);
    this.code = code;
  }
}

export const invalid = (message: string): Refusal => new Refusal(status.INVALID_ARGUMENT, message);
export const unsupported = (what: string): Refusal =>
  new Refusal(status.UNIMPLEMENTED, `${what} is not supported by the embedded Firestore.`);
export const missing = (name: string): Refusal => new Refusal(status.NOT_FOUND, `Document "${name}" not found.`);
/** The client restarts a transaction on this text. */
export const expired = (): Refusal => invalid("The referenced transaction has expired or is no longer valid.");
export const contended = (): Refusal => new Refusal(status.ABORTED, "Too much contention on these documents. Please try again.");

/** Converts an error to the form sent to the client. Returns undefined for an internal error. Clients retry UNAVAILABLE. */
export function asRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error instanceof RpcError) return new Refusal(error.code, error.message);
  return error instanceof WriteFault ? new Refusal(status.UNAVAILABLE, error.message) : undefined;
}
