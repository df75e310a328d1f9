import type { IncomingMessage, ServerResponse } from "node:http";
import { status } from "@grpc/grpc-js";
import { RpcError, toRestError, toRpcError } from "./rpc-error.ts";

const BODY_BYTES_MAX = 20 * 1024 * 1024;

/** A JSON message. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the request's body; {} if it is empty. Throws INVALID_ARGUMENT if it is not a JSON object or is over 20 MiB. */
export async function readFields(request: IncomingMessage): Promise<Fields> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new RpcError(status.INVALID_ARGUMENT, "Request payload size exceeds the limit.");
    chunks.push(chunk);
  }
  const fields = size === 0 ? {} : parse(Buffer.concat(chunks).toString());
  if (isFields(fields)) return fields;
  throw new RpcError(status.INVALID_ARGUMENT, "Invalid JSON payload received. Root element must be a message.");
}

/** Returns a path decoded. Throws INVALID_ARGUMENT if it is not percent-encoded UTF-8. */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new RpcError(status.INVALID_ARGUMENT, "The path is malformed.");
  }
}

export function answerJson(response: ServerResponse, code: number, body: object): void {
  response.writeHead(code, { "Content-Type": "application/json; charset=UTF-8" }).end(JSON.stringify(body));
}

/** Sends an error in the format of Google's REST APIs. */
export function answerRefusal(response: ServerResponse, thrown: unknown): void {
  const refusal = toRestError(toRpcError(thrown));
  answerJson(response, refusal.status, refusal.body);
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    // In protobuf's JSON, null is an unset field.
    return JSON.parse(text, (_, value: unknown) => (value === null ? undefined : value));
  } catch {
    throw new RpcError(status.INVALID_ARGUMENT, "Invalid JSON payload received.");
  }
}
