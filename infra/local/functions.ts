import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { cloudEvent, http } from "@google-cloud/functions-framework";
import { getTestServer } from "@google-cloud/functions-framework/testing";
import * as v from "valibot";
import { catalogue } from "../../functions/catalogue.ts";
import requestDataset from "../../functions/customers/request-dataset.ts";
import { openServeOptions, registerEndpoint, registerPublicEndpoint, registerSchedule, registerTopic } from "../../functions/entry.ts";
import { scheduleFunctions, topicFunctions } from "../../functions/workers.ts";
import { corsHeaders, preflight } from "../../shared/http/cors.ts";
import type { Api } from "../../shared/http/define-endpoint.ts";
import { methodNotAllowed } from "../../shared/http/errors.ts";
import { takeOverRequests } from "../../shared/http/http-request.ts";
import { problemReply, send } from "../../shared/http/respond.ts";
import type { ServeOptions } from "../../shared/http/serve-options.ts";
import { messageOf } from "../../shared/runtime/error-message.ts";
import { drainRequests, EXIT_AFTER_MS, trackRequests } from "../../shared/runtime/graceful-shutdown.ts";
import { asFunction } from "./as-function.ts";
import { baseMapAt, consoleServer, isConsolePath } from "./console.ts";
import { createLocalServer, urlOf } from "./http-server.ts";
import { logAsJson } from "./json-log.ts";
import { type CustomersMade, type DatasetRequested, Environment, FunctionsReady, MakeCustomers, type Ports } from "./messages.ts";
import { endWithParent, tellParent } from "./parent.ts";
import { route } from "./router.ts";
import { sampleOrPersistedCustomers } from "./sample-customers.ts";
import { listen } from "./server.ts";

const WantedPorts = v.pipe(v.optional(v.string(), "{}"), v.parseJson(), FunctionsReady.entries.ports);
const FreePorts = v.pipe(v.optional(v.string(), "[]"), v.parseJson(), v.array(v.number()));

/**
 * The process of the functions. Each runs in the functions framework on its own address, and each of the two base URLs has a router. With the
 * argument `later`, the parent sends the environment.
 */
async function main(): Promise<void> {
  logAsJson();
  endWithParent(async () => undefined);
  if (process.argv[2] === "later") Object.assign(process.env, await sentEnvironment());
  const portOf = wantedPorts();
  const { promise: functions, resolve: begin } = Promise.withResolvers<Functions>();
  const routers = await serveBaseUrls(functions, portOf);
  // After the base URLs, which the options hold.
  const serving = openServeOptions();
  const servers = registerFunctions(serving);
  begin({ servers, serving, console: consoleOf(serving) });
  // Starts before the first request can arrive.
  trackRequests();
  const ports: Ports = { ...routers.ports };
  for (const [name, server] of servers) ports[name] = await listen(server, portOf(name));
  const events = new Set(topicFunctions.map(({ eventName }) => ports[eventName] ?? 0));
  takeOverRequests((request) => !events.has(request.socket.localPort ?? 0));
  endWithParent(() => drainRequests([...routers.servers, ...servers.values()]), EXIT_AFTER_MS);
  serveCustomers(serving.config);
  tellParent({ ports });
}

/** Returns the port of a name: that of LOCAL_PORTS, so addresses survive a restart, the next one of LOCAL_FREE_PORTS, then any free one. */
function wantedPorts(): (name: string) => number {
  const wanted = v.parse(WantedPorts, process.env.LOCAL_PORTS);
  const free = v.parse(FreePorts, process.env.LOCAL_FREE_PORTS);
  return (name) => wanted[name] || (free.shift() ?? 0);
}

/** Serves the two base URLs and sets them in the environment. Requests wait until the functions are there. */
async function serveBaseUrls(
  functions: Promise<Functions>,
  portOf: (name: string) => number,
): Promise<{ readonly servers: readonly Server[]; readonly ports: Ports }> {
  const servers: Server[] = [];
  const ports: Ports = {};
  for (const api of ["users", "data"] as const) {
    // Longer than clients keep idle connections, as in Google's load balancer, so no connection is closed under a request.
    const listener = async (request: IncomingMessage, response: ServerResponse) => forward(api, await functions, request, response);
    const server = createLocalServer(listener, { keepAliveTimeout: 65_000 });
    ports[api] = await listen(server, portOf(api));
    process.env[`${api.toUpperCase()}_BASE_URL`] = `http://127.0.0.1:${ports[api]}`;
    servers.push(server);
  }
  return { servers, ports };
}

/** Registers all functions with the framework. Returns their servers, which do not listen yet, by name. */
function registerFunctions(serving: ServeOptions): ReadonlyMap<string, Server> {
  const framework = { http, cloudEvent };
  const servers = new Map<string, Server>();
  for (const endpoint of catalogue) {
    if (endpoint.auth === "none") registerPublicEndpoint(framework, endpoint);
    else registerEndpoint(framework, endpoint, openServeOptions(asFunction(serving.config, endpoint.name)));
    servers.set(endpoint.name, functionServer(endpoint.name));
  }
  for (const worker of topicFunctions) {
    registerTopic(framework, worker, asFunction(serving.config, worker.eventName));
    servers.set(worker.eventName, functionServer(worker.eventName));
  }
  for (const schedule of scheduleFunctions) {
    registerSchedule(framework, schedule, asFunction(serving.config, schedule.scheduleName));
    servers.set(schedule.scheduleName, functionServer(schedule.scheduleName));
  }
  return servers;
}

/** The console, with the addresses of this service. */
function consoleOf({ config }: ServeOptions): Functions["console"] {
  return consoleServer({
    users_base_url: process.env.USERS_BASE_URL ?? "",
    data_base_url: process.env.DATA_BASE_URL ?? "",
    storage_url: process.env.STORAGE_URL ?? "",
    export_bucket: config.exportBucket,
    tick_seconds: config.tickSeconds,
    ...baseMapAt(process.env.LOCAL_BASE_MAP),
  });
}

/** The server of a registered function. The framework's own would answer any host. */
function functionServer(name: string): Server {
  const framework = getTestServer(name);
  return createLocalServer((request, response) => void framework.emit("request", request, response));
}

/** The environment that the parent sends. */
function sentEnvironment(): Promise<Environment["environment"]> {
  return new Promise((resolve) => {
    process.once("message", (message) => resolve(v.parse(Environment, message).environment));
  });
}

/** Makes the sample customers when the parent requests it. */
function serveCustomers(config: ServeOptions["config"]): void {
  process.on("message", (message) => {
    const wanted = v.safeParse(MakeCustomers, message);
    if (!wanted.success) return;
    const { dataDirectory, countries, metadata } = wanted.output.make_customers;
    sampleOrPersistedCustomers(dataDirectory, countries, config, metadata).then(
      (customers) => tellParent({ sample_customers: customers } satisfies CustomersMade),
      (error: unknown) => tellParent({ sample_customers: [], failed: messageOf(error) } satisfies CustomersMade),
    );
  });
}

interface Functions {
  readonly servers: ReadonlyMap<string, Server>;
  readonly serving: ServeOptions;
  readonly console: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Passes a request to the function's server in this process. Equivalent to a network hop, without its cost. */
function forward(api: Api, { servers, serving, console }: Functions, request: IncomingMessage, response: ServerResponse): void {
  const path = urlOf(request).pathname;
  if (api === "users" && isConsolePath(path)) {
    console(request, response);
    return;
  }
  const cors = corsHeaders(request.headers.origin, serving.config);
  const found = route(catalogue, api, request.method ?? "", path, preflight(request.method, cors) !== undefined);
  if (found.endpoint) {
    if (found.endpoint.name === requestDataset.name)
      response.once("finish", () => {
        const [, , uid = ""] = path.split("/");
        if (response.statusCode === 200) tellParent({ dataset_requested: uid } satisfies DatasetRequested);
      });
    servers.get(found.endpoint.name)?.emit("request", request, response);
    return;
  }
  const { allow } = found;
  const requestId = crypto.randomUUID();
  const reply = problemReply(methodNotAllowed(allow), requestId);
  void send(request, response, { ...reply, headers: { ...cors, ...reply.headers } }, { policy: {}, requestId, uid: undefined });
}

try {
  await main();
} catch (error) {
  tellParent({ failed: messageOf(error) }, () => process.exit(1));
}
