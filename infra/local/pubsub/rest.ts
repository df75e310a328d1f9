import type { IncomingMessage, Server } from "node:http";
import { status } from "@grpc/grpc-js";
import { createLocalServer, urlOf } from "../http-server.ts";
import { answerJson, answerRefusal, decodedPath, type Fields, isFields, readFields } from "../tasks/wire/json-http.ts";
import { RpcError } from "../tasks/wire/rpc-error.ts";
import { JSON_FORM } from "./form.ts";
import type { Method, MethodName } from "./methods.ts";

/** The method of each route, and the request field that its path sets. Source: the google.api.http options in pubsub.proto. */
const ROUTES: Readonly<Record<string, { readonly method: MethodName; readonly field: string }>> = {
  "GET topics": { method: "listTopics", field: "project" },
  "PUT topics/*": { method: "createTopic", field: "name" },
  "GET topics/*": { method: "getTopic", field: "topic" },
  "DELETE topics/*": { method: "deleteTopic", field: "topic" },
  "POST topics/*:publish": { method: "publish", field: "topic" },
  "GET topics/*/subscriptions": { method: "listTopicSubscriptions", field: "topic" },
  "GET subscriptions": { method: "listSubscriptions", field: "project" },
  "PUT subscriptions/*": { method: "createSubscription", field: "name" },
  "GET subscriptions/*": { method: "getSubscription", field: "subscription" },
  "PATCH subscriptions/*": { method: "updateSubscription", field: "subscription.name" },
  "DELETE subscriptions/*": { method: "deleteSubscription", field: "subscription" },
  "POST subscriptions/*:pull": { method: "pull", field: "subscription" },
  "POST subscriptions/*:acknowledge": { method: "acknowledge", field: "subscription" },
  "POST subscriptions/*:modifyAckDeadline": { method: "modifyAckDeadline", field: "subscription" },
  "POST subscriptions/*:modifyPushConfig": { method: "modifyPushConfig", field: "subscription" },
};

const PATH = /^\/v1\/(projects\/[^/]+)\/(topics|subscriptions)(?:\/([^/:]+)(:\w+|\/subscriptions)?)?$/;

/** Returns an HTTP server of the REST API, not listening yet. `GET /` returns 200, as in Google's emulator. */
export function restServer(methods: Readonly<Record<MethodName, Method>>): Server {
  return createLocalServer(async (request, response) => {
    const closed = new AbortController();
    response.once("close", () => closed.abort());
    try {
      if (request.method === "GET" && request.url === "/") {
        response.end("Ok\n");
        return;
      }
      answerJson(response, 200, await call(methods, request, closed.signal));
    } catch (error) {
      answerRefusal(response, asRest(error));
    }
  });
}

async function call(methods: Readonly<Record<MethodName, Method>>, request: IncomingMessage, signal: AbortSignal): Promise<object> {
  const url = urlOf(request);
  const body = await readFields(request);
  const [, project = "", collection = "", id = "", rest = ""] = PATH.exec(decodedPath(url.pathname)) ?? [];
  const route = ROUTES[`${request.method} ${collection}${id && "/*"}${rest}`];
  if (route === undefined) throw new RpcError(status.NOT_FOUND, `No such method: ${request.method} ${url.pathname}`);
  const fields = request.method === "GET" ? Object.fromEntries(url.searchParams) : body;
  const name = id ? `${project}/${collection}/${id}` : project;
  return methods[route.method](withField(fields, route.field, name), JSON_FORM, signal, request.headers.authorization);
}

/** Sets the request field that the path names. The path wins over the body. */
function withField(fields: Fields, path: string, name: string): Fields {
  const [field = "", inner] = path.split(".");
  if (inner === undefined) return { ...fields, [field]: name };
  const message = fields[field];
  return { ...fields, [field]: { ...(isFields(message) ? message : {}), [inner]: name } };
}

/** Over REST an unsupported field is a malformed request. Over gRPC the client knows the field; this server does not support it. */
function asRest(error: unknown): unknown {
  const unserved = error instanceof RpcError && error.code === status.UNIMPLEMENTED;
  return unserved ? new RpcError(status.INVALID_ARGUMENT, error.message) : error;
}
