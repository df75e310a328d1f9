import { join } from "node:path";
import { type handleUnaryCall, Server } from "@grpc/grpc-js";
import * as v from "valibot";
import type { Identity } from "../identity.ts";
import { listenShared } from "../port-sharing.ts";
import type { LocalServer } from "../server.ts";
import { type Clock, systemClock } from "../tasks/wire/clock.ts";
import { loadServices, unary } from "../tasks/wire/grpc-service.ts";
import { HttpSender } from "../tasks/wire/http-sender.ts";
import { TokenCache } from "../tasks/wire/token-cache.ts";
import { Broker } from "./broker.ts";
import { PROTO_FORM } from "./form.ts";
import { type Method, pubSubMethods } from "./methods.ts";
import { Persistence } from "./persistence.ts";
import { restServer } from "./rest.ts";
import { streamingPull } from "./streaming-pull.ts";

export interface PubSubOptions {
  /** The port. 0 or absent: a free one. */
  readonly port?: number;
  /** Mints the bearer tokens of push subscriptions. Without it pushes carry none. */
  readonly identity?: Identity;
  /** The time, in milliseconds since 1970. */
  readonly now?: () => number;
  /** The time and the timers; replaces `now`. */
  readonly clock?: Clock;
  /** The data folder. State is stored in its subfolder `pubsub`. Without it all is in memory only. */
  readonly dataDirectory?: string;
}

/** Publish requests may have 10 MB. gRPC's own default limit is 4 MiB. */
const MESSAGE_BYTES_MAX = 20 * 1024 * 1024;

/**
 * Serves google.pubsub.v1.Publisher and Subscriber to the real client (PUBSUB_EMULATOR_HOST) and their REST API on the same port.
 * Unsupported methods and fields are refused. With a data folder, acknowledged changes survive any end of the process, unacknowledged
 * messages too. Rejects if the port is taken, and with a one-line error if the folder cannot be used.
 */
export async function startPubSub(options: PubSubOptions = {}): Promise<LocalServer> {
  const { identity } = options;
  const clock = options.clock ?? systemClock(options.now);
  const sender = new HttpSender();
  const opened = options.dataDirectory === undefined ? undefined : Persistence.open(join(options.dataDirectory, "pubsub"));
  const tokens = identity && new TokenCache(identity, () => clock.now());
  const broker = new Broker({ clock, sender, tokens, persistence: opened?.persistence }, opened?.former);
  const methods = pubSubMethods(broker, clock, identity);

  const service = loadServices("@google-cloud/pubsub", "google/pubsub/v1/pubsub.proto");
  const grpc = new Server({ "grpc.max_receive_message_length": MESSAGE_BYTES_MAX });
  const unaries = Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, grpcMethod(method)]));
  const implementation = { ...unaries, streamingPull: streamingPull((name) => broker.pulledSubscription(name)) };
  for (const name of ["google.pubsub.v1.Publisher", "google.pubsub.v1.Subscriber"]) grpc.addService(service(name), implementation);

  const port = await listenShared({ port: options.port ?? 0, http1: restServer(methods), grpc }).catch((error: unknown) => {
    broker.close();
    opened?.persistence.close();
    throw error;
  });
  return {
    address: port.address,
    async close() {
      broker.close();
      clock.stop();
      sender.close();
      await port.close();
      opened?.persistence.close();
    },
  };
}

function grpcMethod(method: Method): handleUnaryCall<unknown, object> {
  return unary(v.unknown(), (request, signal, authorization) => method(request, PROTO_FORM, signal, authorization));
}
