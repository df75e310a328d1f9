import { status } from "@grpc/grpc-js";

/** What Firestore refuses: a gRPC status code and the text that the client sees. */
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
/** The client starts a transaction anew upon these words. */
export const expired = (): Refusal => invalid("The referenced transaction has expired or is no longer valid.");
export const contended = (): Refusal => new Refusal(status.ABORTED, "Too much contention on these documents. Please try again.");
