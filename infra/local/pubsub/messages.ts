import { status } from "@grpc/grpc-js";
import { RpcError } from "../tasks/wire/rpc-error.ts";
import type { MessageRequest } from "./requests.ts";

/** https://cloud.google.com/pubsub/quotas#resource_limits */
const MESSAGES_MAX = 1000;
const REQUEST_BYTES_MAX = 10_000_000;
const ATTRIBUTES_MAX = 100;
const KEY_BYTES_MAX = 256;
const VALUE_BYTES_MAX = 1024;

/** Throws INVALID_ARGUMENT for an empty or oversized request, empty messages, and attributes beyond the limits. */
export function checkMessages(messages: readonly MessageRequest[]): void {
  if (messages.length === 0) refuse("The value for message_count is too small. You passed 0 in the request, but the minimum value is 1.");
  if (messages.length > MESSAGES_MAX)
    refuse(
      `The value for message_count is too large. You passed ${messages.length} in the request, but the maximum value is ${MESSAGES_MAX}.`,
    );
  let size = 0;
  for (const message of messages) size += checkedSize(message);
  if (size > REQUEST_BYTES_MAX)
    refuse(`The value for request_size is too large. You passed ${size} in the request, but the maximum value is ${REQUEST_BYTES_MAX}.`);
}

function checkedSize({ data, attributes, orderingKey }: MessageRequest): number {
  const entries = Object.entries(attributes);
  if (data.length === 0 && entries.length === 0)
    refuse(
      "One or more messages in the publish request is empty. Each message must contain either non-empty data, or at least one attribute.",
    );
  if (entries.length > ATTRIBUTES_MAX) refuse(`A message must not have more than ${ATTRIBUTES_MAX} attributes.`);
  let size = data.length;
  for (const [key, value] of entries) {
    const [keyBytes, valueBytes] = [Buffer.byteLength(key), Buffer.byteLength(value)];
    if (keyBytes === 0 || keyBytes > KEY_BYTES_MAX) refuse(`An attribute's key must have 1 to ${KEY_BYTES_MAX} bytes.`);
    if (valueBytes > VALUE_BYTES_MAX) refuse(`An attribute's value must not have more than ${VALUE_BYTES_MAX} bytes.`);
    size += keyBytes + valueBytes;
  }
  if (Buffer.byteLength(orderingKey) > VALUE_BYTES_MAX) refuse(`An ordering key must not have more than ${VALUE_BYTES_MAX} bytes.`);
  return size;
}

function refuse(details: string): never {
  throw new RpcError(status.INVALID_ARGUMENT, details);
}
