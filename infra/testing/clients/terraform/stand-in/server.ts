import { createServer, type IncomingMessage } from "node:http";
import { listenOnLoopback } from "../../../../local/server.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { at, type Fields, fields, parseFields, text } from "./json.ts";
import { policyOf, setPolicy } from "./policies.ts";
import { notFound, Refusal } from "./refusal.ts";
import { answerResource, type ResourceRequest } from "./resources.ts";
import { compute } from "./services/compute.ts";
import { dns } from "./services/dns.ts";
import { setDisabled } from "./services/identity.ts";
import { objects, parseUpload } from "./services/objects.ts";
import { Store } from "./store.ts";

const VERSION = /^(storage\/v1|bigquery\/v2|compute\/v1|dns\/v1|v\d)\//;

/** A Google that runs here. */
export interface StandIn {
  /** Variables of Google's provider, which lead it here. */
  readonly environment: Readonly<Record<string, string>>;
  /** `http://host:port`; the first part of a path is the host of Google's that is meant. */
  readonly url: string;
  /** Returns all that is there, and all policies, by name: what is the same has the same value. */
  contents(): Readonly<Record<string, Fields>>;
  close(): Promise<void>;
}

/** What is there before Terraform: an operator, or `scripts/bootstrap`, has made it. */
export interface Before {
  /** Projects' ids. */
  readonly projects: readonly string[];
  /** Resources by `host/path`. */
  readonly resources: Readonly<Record<string, Fields>>;
}

/** Starts a server that keeps what it is sent as Google's APIs do, and refuses what names anything that does not exist. */
export async function startStandIn({ projects, resources }: Before): Promise<StandIn> {
  const store = new Store(projects);
  for (const [name, resource] of Object.entries(resources)) store.resources.set(name, resource);
  const { address, close } = await listenOnLoopback(
    createServer((request, response) => {
      respond(store, request)
        .catch((error: unknown) => {
          const { code, status, message } = error instanceof Refusal ? error : new Refusal(500, "INTERNAL", String(error));
          return { code, answer: { error: { code, status, message, errors: [{ message, reason: status, domain: "global" }] } } };
        })
        .then(({ code, answer }) => {
          response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(answer));
        });
    }),
  );
  const url = `http://${address}`;
  const environment = Object.fromEntries(ENDPOINTS.map(([product, path]) => [`GOOGLE_${product}_CUSTOM_ENDPOINT`, `${url}/${path}`]));
  return { url, environment: { GOOGLE_OAUTH_ACCESS_TOKEN: "unused", ...environment }, contents: () => store.contents(), close };
}

async function respond(store: Store, request: IncomingMessage): Promise<{ readonly code: number; readonly answer: Fields }> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const content = Buffer.concat(chunks);
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://localhost");
  const [first = "", ...rest] = pathname.slice(1).split("/");
  // The provider's clients of uploads and of Cloud DNS put their path at the root.
  const isUpload = first === "upload";
  const host = isUpload ? "storage.googleapis.com" : first === "dns" ? "dns.googleapis.com" : first;
  const parts = first === "dns" ? [first, ...rest] : rest;
  const path = store.withIds(decodeURIComponent(parts.join("/")).replace(VERSION, ""));
  if (isUpload) return { code: 200, answer: objects(store, path, query, parseUpload(content, request.headers["content-type"] ?? "")) };
  const body = content.length === 0 ? {} : parseFields(content.toString());
  return { code: 200, answer: answerTo(store, { method: request.method ?? "GET", host, path, query, body }) };
}

function answerTo(store: Store, request: ResourceRequest): Fields {
  const { method, host, query, body } = request;
  // `-` is the project of the account that follows.
  const path = request.path.replace(/^projects\/-\/serviceAccounts\/([^@]+@([^.]+)\.[^/:]+)/, "projects/$2/serviceAccounts/$1");
  if (host === "compute.googleapis.com") return compute(store, method, path, body);
  if (host === "dns.googleapis.com") return dns(store, method, path, query, body);
  if (path.endsWith("/billingInfo")) return { billingAccountName: "billingAccounts/000000-000000-000000", billingEnabled: true };
  const policy = policyAnswer(store, request, path);
  if (policy) return policy;
  if (host === "cloudresourcemanager.googleapis.com") {
    const id = path.replace(/^projects\//, "");
    return { projectNumber: store.numberOf(id), projectId: id, name: id, lifecycleState: "ACTIVE" };
  }
  if (/^b\/[^/]+\/o(\/|$)/.test(path)) return objects(store, path, query, undefined);
  const [, operation] = /operations\/([^/]+)$/.exec(path) ?? [];
  if (operation !== undefined) return store.operations.get(operation) ?? {};
  if (/(:listAttestationRules|:resume|:pause)$/.test(path)) return {};
  const [, account, change] = /^(projects\/[^/]+\/serviceAccounts\/[^/:]+):(disable|enable)$/.exec(path) ?? [];
  if (account !== undefined) return setDisabled(store, account, change === "disable");
  const isBucket = host === "storage.googleapis.com" && path === "b";
  return answerResource(store, {
    ...request,
    path: path.replace(/:(create|update)Async$/, ""),
    body: isBucket ? { ...body, project: query.get("project") } : body,
  });
}

/** Answers a request for the policy of a project or a resource. */
function policyAnswer(store: Store, { method, host, body }: ResourceRequest, path: string): Fields | undefined {
  const [, target = "", verb] = /^(.+)(:getIamPolicy|:setIamPolicy|\/iam)$/.exec(path) ?? [];
  if (verb === undefined) return undefined;
  const resource = `${host}/${target}`;
  if (host === "cloudresourcemanager.googleapis.com") store.numberOf(target.replace(/^projects\//, ""));
  else if (!store.resources.has(resource)) throw notFound(`${resource} does not exist`);
  if (verb === ":getIamPolicy" || method === "GET") return policyOf(store, resource);
  const policy = fields(at(body, "policy") ?? body);
  // A mask leaves what it does not name as it is.
  const isOfBindings = /^$|bindings/.test(text(body.updateMask));
  return setPolicy(store, resource, isOfBindings ? policy : { ...policy, bindings: policyOf(store, resource).bindings });
}
