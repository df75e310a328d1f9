import { status } from "@grpc/grpc-js";
import { WriteFault } from "../../persistence/faults.ts";

/** An error in Google's terms: a gRPC code and the text that the client shows. */
export class RpcError extends Error {
  readonly code: status;

  constructor(code: status, details: string) {
    super(details);
    this.name = "RpcError";
    this.code = code;
  }
}

/** The HTTP status of each code, as in google/rpc/code.proto. */
const HTTP_STATUS: Readonly<Partial<Record<status, number>>> = {
  [status.INVALID_ARGUMENT]: 400,
  [status.FAILED_PRECONDITION]: 400,
  [status.OUT_OF_RANGE]: 400,
  [status.UNAUTHENTICATED]: 401,
  [status.PERMISSION_DENIED]: 403,
  [status.NOT_FOUND]: 404,
  [status.ALREADY_EXISTS]: 409,
  [status.ABORTED]: 409,
  [status.RESOURCE_EXHAUSTED]: 429,
  [status.CANCELLED]: 499,
  [status.UNIMPLEMENTED]: 501,
  [status.UNAVAILABLE]: 503,
  [status.DEADLINE_EXCEEDED]: 504,
};

/**
 * Converts any error to an `RpcError`. A `WriteFault` becomes UNAVAILABLE, so the client can retry. Internal errors are logged and
 * answered without their text, as Google does.
 */
export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof WriteFault) return new RpcError(status.UNAVAILABLE, error.message);
  console.error(error);
  return new RpcError(status.INTERNAL, "Internal error encountered.");
}

/** Converts an error to the response of a REST API: the HTTP status and the JSON body. */
export function toRestError(error: RpcError): { status: number; body: { error: { code: number; message: string; status: string } } } {
  const code = HTTP_STATUS[error.code] ?? 500;
  return { status: code, body: { error: { code, message: error.message, status: status[error.code] } } };
}
