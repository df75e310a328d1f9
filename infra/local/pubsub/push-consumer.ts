import type { HttpSender, Sending } from "../tasks/wire/http-sender.ts";
import type { TokenCache } from "../tasks/wire/token-cache.ts";
import type { Consumer, Lease } from "./consumer.ts";
import type { Message, PushConfig } from "./model.ts";
import type { Subscription } from "./subscription.ts";

/** The status codes that acknowledge (https://cloud.google.com/pubsub/docs/push#receive_push). */
const ACKNOWLEDGING: ReadonlySet<number> = new Set([102, 200, 201, 202, 204]);

/** The maximum number of concurrent requests to one endpoint. */
const OUTSTANDING_MAX = 64;

export interface PushContext {
  readonly sender: HttpSender;
  /** The source of the bearer tokens that push configurations name. Without it requests carry no token. */
  readonly tokens: TokenCache | undefined;
}

/** Posts the messages of a subscription to its endpoint, many concurrently. */
export class PushConsumer implements Consumer {
  readonly #subscription: Subscription;
  readonly #push: PushConfig;
  readonly #context: PushContext;
  readonly #underWay = new Map<string, Sending>();

  constructor(subscription: Subscription, push: PushConfig, context: PushContext) {
    this.#subscription = subscription;
    this.#push = push;
    this.#context = context;
  }

  capacity(): number {
    return OUTSTANDING_MAX - this.#underWay.size;
  }

  ackDeadlineSeconds(): number {
    return this.#subscription.config.ackDeadlineSeconds;
  }

  deliver(leases: readonly Lease[]): void {
    for (const lease of leases) this.#post(lease);
  }

  settled(lease: Lease): void {
    this.#underWay.get(lease.ackId)?.abort();
    this.#underWay.delete(lease.ackId);
  }

  async #post(lease: Lease): Promise<void> {
    const sending = this.#send(lease);
    if (sending) this.#underWay.set(lease.ackId, sending);
    const outcome = await sending?.outcome;
    this.#underWay.delete(lease.ackId);
    if (outcome?.kind === "answered" && ACKNOWLEDGING.has(outcome.status)) this.#subscription.acknowledge([lease.ackId]);
    else this.#subscription.modifyAckDeadline([lease.ackId], 0);
  }

  /** Returns undefined if the token's account cannot get a token. The delivery then fails like an unanswered one. */
  #send(lease: Lease): Sending | undefined {
    const { sender, tokens } = this.#context;
    const { pushEndpoint, oidcToken } = this.#push;
    const headers: Record<string, string> = {
      "Content-Type": "application/json",
      Accept: "application/json",
      From: "noreply@google.com",
      "User-Agent": "CloudPubSub-Google",
    };
    try {
      if (oidcToken && tokens) headers.Authorization = `Bearer ${tokens.token(oidcToken.serviceAccountEmail, []).accessToken}`;
    } catch {
      return undefined;
    }
    return sender.send({ url: pushEndpoint, method: "POST", headers, body: pushBody(lease, this.#subscription) });
  }
}

/** Returns the body of a push. Names are in both cases, as Google sends them. */
function pushBody({ message, deliveryAttempt }: Lease, { config }: Subscription): string {
  return JSON.stringify({
    message: pushMessage(message),
    subscription: config.name,
    ...(config.deadLetterPolicy && { deliveryAttempt }),
  });
}

function pushMessage({ data, attributes, messageId, publishTime, orderingKey }: Message): object {
  const published = new Date(publishTime).toISOString();
  return {
    ...(Object.keys(attributes).length > 0 && { attributes }),
    ...(data.length > 0 && { data: data.toString("base64") }),
    messageId,
    message_id: messageId,
    publishTime: published,
    publish_time: published,
    ...(orderingKey !== "" && { orderingKey }),
  };
}
