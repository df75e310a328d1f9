import { status } from "@grpc/grpc-js";
import { RpcError } from "../tasks/wire/rpc-error.ts";
import { idOf } from "./names.ts";

export function notFound(name: string): RpcError {
  return new RpcError(status.NOT_FOUND, `Resource not found (resource=${idOf(name)}).`);
}

export function alreadyExists(name: string): RpcError {
  return new RpcError(status.ALREADY_EXISTS, `Resource already exists in the project (resource=${idOf(name)}).`);
}
