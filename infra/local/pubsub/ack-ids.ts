import { status } from "@grpc/grpc-js";
import { RpcError } from "../tasks/wire/rpc-error.ts";

/** Returns the id of a subscription's n-th lease. */
export function ackIdOf(subscription: string, n: number): string {
  return `${subscription}:${n}`;
}

/** Throws INVALID_ARGUMENT for an ack id that is not of this subscription. */
export function checkAckIds(subscription: string, ackIds: readonly string[]): void {
  const prefix = `${subscription}:`;
  for (const ackId of ackIds)
    if (!ackId.startsWith(prefix) || !/^\d{1,15}$/.test(ackId.slice(prefix.length)))
      throw new RpcError(status.INVALID_ARGUMENT, `You have passed an invalid ack ID to the service (ack_id=${ackId}).`);
}
