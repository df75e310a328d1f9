import { status } from "@grpc/grpc-js";
import type * as v from "valibot";
import { assertGranted, restrictedCaller } from "../iam/caller.ts";
import type { Identity } from "../identity.ts";
import type { Clock } from "../tasks/wire/clock.ts";
import { parseRequest } from "../tasks/wire/message-fields.ts";
import { pageOf } from "../tasks/wire/pages.ts";
import { RpcError } from "../tasks/wire/rpc-error.ts";
import type { Broker } from "./broker.ts";
import type { Form } from "./form.ts";
import { checkMessages } from "./messages.ts";
import { idOf } from "./names.ts";
import { pull } from "./pull.ts";
import { REQUESTS } from "./requests.ts";
import { receivedMessage, subscriptionResource, topicResource } from "./resources.ts";
import { checkAckDeadline, pushConfigOf, subscriptionConfig, updatedConfig } from "./subscription-config.ts";

/** A method of the API on an undecoded request. Answers in the given encoding. Rejects with an `RpcError`. */
export type Method = (request: unknown, form: Form, signal: AbortSignal, authorization?: string) => Promise<object>;

/** What the grants call the topics of `topics.ts`. */
const PURPOSES: Readonly<Record<string, string>> = { aggregations: "jobs", measurements: "measurements" };

const PAGE_SIZE_MAX = 1000;

/** The supported unary methods of google.pubsub.v1.Publisher and Subscriber, shared by gRPC and REST. */
export function pubSubMethods(broker: Broker, clock: Clock, identity?: Identity) {
  return { ...publisherMethods(broker, identity), ...subscriberMethods(broker), ...deliveryMethods(broker, clock) };
}

export type MethodName = keyof ReturnType<typeof pubSubMethods>;

function publisherMethods(broker: Broker, identity: Identity | undefined) {
  return {
    createTopic: method(REQUESTS.createTopic, ({ name, labels, messageRetentionDuration }, form) =>
      topicResource(broker.createTopic({ name, labels, messageRetentionDuration }), form),
    ),
    getTopic: method(REQUESTS.topicByName, ({ topic }, form) => topicResource(broker.topic(topic), form)),
    listTopics: method(REQUESTS.listTopics, (request, form) => {
      const { items, nextPageToken } = pageOf(broker.topics(request.project), request, PAGE_SIZE_MAX);
      return { topics: items.map((topic) => topicResource(topic, form)), ...(nextPageToken && { nextPageToken }) };
    }),
    deleteTopic: method(REQUESTS.topicByName, ({ topic }) => {
      broker.deleteTopic(topic);
      return {};
    }),
    listTopicSubscriptions: method(REQUESTS.listTopicSubscriptions, (request) => {
      const { items, nextPageToken } = pageOf(broker.subscriptionsOf(request.topic), request, PAGE_SIZE_MAX);
      return { subscriptions: items.map(({ name }) => name), ...(nextPageToken && { nextPageToken }) };
    }),
    publish: method(REQUESTS.publish, async ({ topic, messages }, _form, _signal, authorization) => {
      assertGranted(
        restrictedCaller(identity, authorization),
        [{ permission: "pubsub.topics.publish", on: `topic:${PURPOSES[idOf(topic)] ?? topic}` }],
        ({ permission }) => `User not authorized to perform this action. Permission '${permission}' denied on resource '${topic}'.`,
      );
      checkMessages(messages);
      return { messageIds: await broker.publish(topic, messages) };
    }),
  };
}

function subscriberMethods(broker: Broker) {
  return {
    createSubscription: method(REQUESTS.createSubscription, (request, form) =>
      subscriptionResource(broker.createSubscription(subscriptionConfig(request)).config, form),
    ),
    getSubscription: method(REQUESTS.subscriptionByName, ({ subscription }, form) =>
      subscriptionResource(broker.subscription(subscription).config, form),
    ),
    listSubscriptions: method(REQUESTS.listSubscriptions, (request, form) => {
      const { items, nextPageToken } = pageOf(broker.subscriptions(request.project), request, PAGE_SIZE_MAX);
      return { subscriptions: items.map((config) => subscriptionResource(config, form)), ...(nextPageToken && { nextPageToken }) };
    }),
    updateSubscription: method(REQUESTS.updateSubscription, ({ subscription, updateMask }, form) => {
      const current = broker.subscription(subscription.name).config;
      const updated = broker.configure(subscription.name, updatedConfig(current, subscription, updateMask));
      return subscriptionResource(updated.config, form);
    }),
    deleteSubscription: method(REQUESTS.subscriptionByName, ({ subscription }) => {
      broker.deleteSubscription(subscription);
      return {};
    }),
    modifyPushConfig: method(REQUESTS.modifyPushConfig, ({ subscription, pushConfig }) => {
      const current = broker.subscription(subscription).config;
      broker.configure(subscription, { ...current, pushConfig: pushConfigOf(pushConfig) });
      return {};
    }),
  };
}

function deliveryMethods(broker: Broker, clock: Clock) {
  return {
    pull: method(REQUESTS.pull, async ({ subscription: name, maxMessages, returnImmediately }, form, signal) => {
      if (maxMessages < 1) throw new RpcError(status.INVALID_ARGUMENT, "The value for max_messages must be greater than 0.");
      const subscription = broker.pulledSubscription(name);
      const leases = await pull(subscription, { maxMessages, returnImmediately, signal, clock });
      return leases.length === 0 ? {} : { receivedMessages: leases.map((lease) => receivedMessage(lease, subscription.config, form)) };
    }),
    acknowledge: method(REQUESTS.acknowledge, ({ subscription, ackIds }) => {
      broker.pulledSubscription(subscription).acknowledge(ackIds);
      return {};
    }),
    modifyAckDeadline: method(REQUESTS.modifyAckDeadline, ({ subscription, ackIds, ackDeadlineSeconds }) => {
      checkAckDeadline(ackDeadlineSeconds, 0);
      broker.pulledSubscription(subscription).modifyAckDeadline(ackIds, ackDeadlineSeconds);
      return {};
    }),
  };
}

function method<Request>(
  schema: v.GenericSchema<unknown, Request>,
  run: (request: Request, form: Form, signal: AbortSignal, authorization: string | undefined) => object | Promise<object>,
): Method {
  return async (request, form, signal, authorization) => run(parseRequest(schema, request), form, signal, authorization);
}
