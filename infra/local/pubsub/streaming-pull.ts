import { type handleBidiStreamingCall, type ServerDuplexStream, status } from "@grpc/grpc-js";
import type * as v from "valibot";
import { parseRequest } from "../tasks/wire/message-fields.ts";
import { RpcError, toRpcError } from "../tasks/wire/rpc-error.ts";
import type { Consumer, Lease } from "./consumer.ts";
import { PROTO_FORM } from "./form.ts";
import { REQUESTS } from "./requests.ts";
import { receivedMessage } from "./resources.ts";
import type { Subscription } from "./subscription.ts";
import { checkAckDeadline } from "./subscription-config.ts";

type Request = v.InferOutput<typeof REQUESTS.streamingPull>;

/** The gRPC handler of StreamingPull. `find` returns a pull subscription or throws. */
export function streamingPull(find: (name: string) => Subscription): handleBidiStreamingCall<unknown, object> {
  return (call) => {
    let stream: Stream | undefined;
    const close = () => stream?.close();
    call.on("data", (raw: unknown) => {
      try {
        const request = parseRequest(REQUESTS.streamingPull, raw);
        if (stream) stream.update(request);
        else stream = new Stream(call, find(request.subscription), request);
      } catch (error) {
        close();
        const { code, message } = toRpcError(error);
        call.emit("error", { code, details: message });
      }
    });
    call.on("cancelled", close);
    call.on("end", () => {
      close();
      call.end();
    });
  };
}

/** One open stream: a consumer with the flow control of its first request. */
class Stream implements Consumer {
  readonly #call: ServerDuplexStream<unknown, object>;
  readonly #subscription: Subscription;
  readonly #messagesMax: number;
  readonly #bytesMax: number;
  readonly #keepsAlive: boolean;
  readonly #outstanding = new Map<string, number>();
  readonly #detach: () => void;
  #outstandingBytes = 0;
  #ackDeadlineSeconds: number;

  constructor(call: ServerDuplexStream<unknown, object>, subscription: Subscription, request: Request) {
    checkAckDeadline(request.streamAckDeadlineSeconds, 10);
    this.#call = call;
    this.#subscription = subscription;
    this.#messagesMax = request.maxOutstandingMessages > 0 ? request.maxOutstandingMessages : Number.POSITIVE_INFINITY;
    this.#bytesMax = request.maxOutstandingBytes > 0 ? request.maxOutstandingBytes : Number.POSITIVE_INFINITY;
    this.#keepsAlive = request.protocolVersion > 0;
    this.#ackDeadlineSeconds = request.streamAckDeadlineSeconds;
    this.#detach = subscription.attach(this);
  }

  capacity(): number {
    // The byte limit stops the next batch, not the one that exceeds it: sizes are known only on delivery.
    return this.#outstandingBytes < this.#bytesMax ? this.#messagesMax - this.#outstanding.size : 0;
  }

  ackDeadlineSeconds(): number {
    return this.#ackDeadlineSeconds;
  }

  deliver(leases: readonly Lease[]): void {
    for (const lease of leases) {
      this.#outstanding.set(lease.ackId, lease.message.data.length);
      this.#outstandingBytes += lease.message.data.length;
    }
    this.#write(leases);
  }

  settled(lease: Lease): void {
    this.#outstandingBytes -= this.#outstanding.get(lease.ackId) ?? 0;
    this.#outstanding.delete(lease.ackId);
  }

  /** Handles a later request of the stream: acknowledgements, deadlines, or only a keep-alive. */
  update(request: Request): void {
    const { ackIds, modifyDeadlineAckIds, modifyDeadlineSeconds, streamAckDeadlineSeconds } = request;
    if (modifyDeadlineAckIds.length !== modifyDeadlineSeconds.length)
      throw new RpcError(status.INVALID_ARGUMENT, "modify_deadline_ack_ids and modify_deadline_seconds must be of the same size.");
    if (streamAckDeadlineSeconds !== 0) {
      checkAckDeadline(streamAckDeadlineSeconds, 10);
      this.#ackDeadlineSeconds = streamAckDeadlineSeconds;
    }
    for (const [index, ackId] of modifyDeadlineAckIds.entries()) {
      const seconds = modifyDeadlineSeconds[index] ?? 0;
      checkAckDeadline(seconds, 0);
      this.#subscription.modifyAckDeadline([ackId], seconds);
    }
    this.#subscription.acknowledge(ackIds);
    if (this.#keepsAlive) this.#write([]);
  }

  close(): void {
    this.#detach();
  }

  #write(leases: readonly Lease[]): void {
    this.#call.write({
      receivedMessages: leases.map((lease) => receivedMessage(lease, this.#subscription.config, PROTO_FORM)),
      subscriptionProperties: { messageOrderingEnabled: this.#subscription.config.enableMessageOrdering },
    });
  }
}
