import { type Fields, fields, merged, sparse } from "./json.ts";
import type { Kind, Place } from "./kinds.ts";
import { checkReferences } from "./references.ts";
import { conflict, invalid, notFound } from "./refusal.ts";
import { data } from "./services/data.ts";
import { identity } from "./services/identity.ts";
import { operations } from "./services/operations.ts";
import { running } from "./services/running.ts";
import { sharing } from "./services/sharing.ts";
import type { Store } from "./store.ts";

const KINDS: readonly Kind[] = [...identity, ...running, ...data, ...sharing, ...operations];
/** Bodies that hold a resource in a field, beside a mask. */
const WRAPPERS = ["topic", "subscription", "release"] as const;

/** A request for a resource or a collection, without the version of the API. */
export interface ResourceRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Fields;
}

/** Answers a request for a resource of a service whose resources are all made, read and changed in one way. */
export function answerResource(store: Store, request: ResourceRequest): Fields {
  const { method, host, path, query, body } = request;
  const made = method === "POST" ? kindOf(host, `${path}/new`) : undefined;
  if (made?.id) {
    const [, project = ""] = /^projects\/([^/]+)/.exec(path) ?? [];
    return keepNew(store, made, made.id({ body, query, project, store }), request);
  }
  const kind = kindOf(host, path);
  // A list, of what the provider wants to know no more than that nothing is in its way.
  if (!kind && method === "GET") return {};
  if (!kind) throw notFound(`There is no ${method} of ${host}/${path}`);
  const old = store.resources.get(`${host}/${path}`) ?? (kind.isAlways ? { name: path } : undefined);
  if (method === "PUT" && !old) return keep(store, kind, path, body);
  if (!old) throw notFound(`${path} was not found`);
  if (method === "GET") return shown(store, kind, path, old);
  if (method === "PUT") return keep(store, kind, path, body);
  if (method === "DELETE") return remove(store, host, path, query);
  if (method !== "PATCH") throw notFound(`There is no ${method} of ${host}/${path}`);
  const wrapper = WRAPPERS.find((name) => typeof body[name] === "object");
  const mask = query.get("updateMask") ?? (typeof body.updateMask === "string" ? body.updateMask : "");
  return keep(store, kind, path, merged(old, wrapper ? fields(body[wrapper]) : body, mask));
}

function kindOf(host: string, path: string): Kind | undefined {
  return KINDS.find((kind) => kind.host === host && kind.path.test(path));
}

/** Keeps a new resource under an id in a collection. */
function keepNew(store: Store, kind: Kind, id: string, { host, path, body }: ResourceRequest): Fields {
  if (id === "") throw invalid(`What is to be made in ${path} has no name`);
  if (store.resources.has(`${host}/${path}/${id}`)) throw conflict("ALREADY_EXISTS", `${path}/${id} already exists`);
  return keep(store, kind, `${path}/${id}`, body);
}

/** Keeps a resource, if all is there that it is in and that it names. */
function keep(store: Store, kind: Kind, path: string, body: Fields): Fields {
  const place = placeOf(store, path);
  if (place.project !== "") store.numberOf(place.project);
  const parts = path.split("/");
  for (let count = parts.length - 2; count > 0; count -= 1) {
    const parent = parts.slice(0, count).join("/");
    if (kindOf(kind.host, parent) && !store.resources.has(`${kind.host}/${parent}`)) throw notFound(`${parent} does not exist`);
  }
  const named = kind.hasOwnName ? body : { ...body, name: path };
  const kept = kind.kept?.(named, place) ?? named;
  checkReferences(store, `${kind.host}/${path}`, kept);
  store.resources.set(`${kind.host}/${path}`, kept);
  const response = shown(store, kind, path, kept);
  if (!kind.isOperation) return response;
  const id = store.nextNumber();
  const operation = {
    name: `projects/-/locations/-/operations/${id}`,
    done: true,
    response: { "@type": "type.googleapis.com/any", ...response },
  };
  store.operations.set(id, operation);
  return operation;
}

/** Removes a resource and its policy. What has parts is not removed before them, unless the request says that they go too. */
function remove(store: Store, host: string, path: string, query: URLSearchParams): Fields {
  const parts = [...store.resources.keys()].filter(
    (name) => name.startsWith(`${host}/${path.replace(/\/$/, "")}/`) && name !== `${host}/${path}`,
  );
  if (parts.length > 0 && query.get("deleteContents") !== "true") throw invalid(`${path} is still in use by ${parts.join(", ")}`);
  for (const name of [...parts, `${host}/${path}`]) {
    store.resources.delete(name);
    store.policies.delete(name);
  }
  return {};
}

function shown(store: Store, kind: Kind, path: string, kept: Fields): Fields {
  const full = kind.shown?.(kept, placeOf(store, path)) ?? kept;
  return kind.isDense ? full : fields(sparse(full));
}

function placeOf(store: Store, path: string): Place {
  const [, project = ""] = /^projects\/([^/]+)/.exec(path) ?? [];
  return { path, project, id: path.slice(path.lastIndexOf("/") + 1), store };
}
