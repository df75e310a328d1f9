import { at, type Fields, fields, isFields, items, text } from "../json.ts";
import { COMPUTE_LINK, checkReferences } from "../references.ts";
import { conflict, invalid, notFound } from "../refusal.ts";
import { checkRouteRules } from "../route-rules.ts";
import { MADE, type Store } from "../store.ts";

const LINKS = "https://www.googleapis.com/compute/v1/";
const PATH = /^projects\/([^/]+)\/(global|regions\/([^/]+))\/(\w+)(?:\/([^/]+))?(?:\/(\w+))?$/;

/** Methods that set one field of a resource. */
const SETTERS: ReadonlyMap<string, string> = new Map([
  ["setLabels", "labels"],
  ["setSecurityPolicy", "securityPolicy"],
]);

/** What Compute Engine shows of a kind, beyond what was sent. */
const SHOWN: Readonly<Record<string, (one: Fields, store: Store) => Fields>> = {
  addresses: (one) => ({ address: addressOf(one), addressType: "EXTERNAL", networkTier: "PREMIUM", ...one }),
  backendServices: ({ portName: _, ...one }) => ({
    timeoutSec: 30,
    sessionAffinity: "NONE",
    connectionDraining: { drainingTimeoutSec: 0 },
    ...one,
    backends: items(one.backends).map((backend) => ({ balancingMode: "UTILIZATION", capacityScaler: 1, ...fields(backend) })),
  }),
  backendBuckets: (one) => (one.enableCdn === true ? { ...one, cdnPolicy: cdnPolicy(fields(one.cdnPolicy)) } : one),
  forwardingRules: (one, store) => ({
    ...one,
    IPAddress: addressOf(store.resources.get(`compute.googleapis.com/${text(one.IPAddress).replace(LINKS, "")}`) ?? one),
    portRange: text(one.portRange).includes("-") ? one.portRange : `${text(one.portRange)}-${text(one.portRange)}`,
    networkTier: "PREMIUM",
  }),
  networkEndpointGroups: (one) => ({ networkEndpointType: "SERVERLESS", ...one }),
  securityPolicies: (one) => ({ ...one, rules: items(one.rules).map((rule) => ({ preview: false, ...fields(rule) })) }),
  sslCertificates: (one) => ({ type: "MANAGED", ...one, managed: { status: "PROVISIONING", ...fields(one.managed) } }),
  targetHttpsProxies: (one) => ({ quicOverride: "NONE", tlsEarlyData: "DISABLED", proxyBind: false, ...one }),
  targetHttpProxies: (one) => ({ proxyBind: false, ...one }),
};

function addressOf(one: Fields): string {
  return one.ipVersion === "IPV6" ? "2600:1901:0:1::" : "203.0.113.1";
}

function cdnPolicy(given: Fields): Fields {
  const times = given.cacheMode === "USE_ORIGIN_HEADERS" ? {} : { clientTtl: 3600, defaultTtl: 3600, maxTtl: 86400 };
  return { cacheMode: "CACHE_ALL_STATIC", requestCoalescing: true, ...times, ...given };
}

/** Answers Compute Engine: its kinds have one form, and each change an operation that is done at once. */
export function compute(store: Store, method: string, path: string, body: Fields): Fields {
  if (path.includes("/operations/")) return { kind: "compute#operation", name: path.split("/").at(-1), status: "DONE", progress: 100 };
  const [, project = "", scope = "", region, kind = "", name, verb] = PATH.exec(path) ?? [];
  store.numberOf(project);
  const collection = `projects/${project}/${scope}/${kind}`;
  const pathOf = (one: Fields): string => `${collection}/${text(one.name)}`;
  const keep = (one: Fields): Fields => {
    const place = pathOf(one);
    check(store, place, kind, one, region);
    const regional = region === undefined ? {} : { region: `${LINKS}projects/${project}/regions/${region}` };
    const labelled = one.labels === undefined ? {} : { labelFingerprint: store.nextNumber() };
    const made = { id: store.nextNumber(), creationTimestamp: MADE, ...fields(linked(one)), ...labelled, ...regional };
    store.resources.set(`compute.googleapis.com/${place}`, { ...made, fingerprint: store.nextNumber(), selfLink: `${LINKS}${place}` });
    return {
      kind: "compute#operation",
      name: `operation-${store.nextNumber()}`,
      status: "DONE",
      progress: 100,
      targetLink: `${LINKS}${place}`,
      ...regional,
    };
  };
  if (method === "POST" && name === undefined) {
    if (store.resources.has(`compute.googleapis.com/${pathOf(body)}`)) throw conflict("ALREADY_EXISTS", `${pathOf(body)} already exists`);
    return keep(body);
  }
  const old = store.resources.get(`compute.googleapis.com/${collection}/${name}`);
  if (!old) throw notFound(`The resource '${collection}/${name}' was not found`);
  if (method === "GET") return SHOWN[kind]?.(old, store) ?? old;
  if (method === "PATCH") return keep({ ...old, ...body });
  const field = SETTERS.get(verb ?? "");
  if (method !== "POST" || field === undefined) throw notFound(`There is no ${method} ${path}`);
  return keep({ ...old, [field]: field === "labels" ? body.labels : Object.values(body)[0] });
}

/** Throws a Refusal if a resource names what is not there, or a map's rules are not in order. */
function check(store: Store, path: string, kind: string, one: Fields, region: string | undefined): void {
  checkReferences(store, `compute.googleapis.com/${path}`, one);
  if (kind === "urlMaps") checkRouteRules(one);
  const service = text(at(one, "cloudRun", "service"));
  const [, project = ""] = path.split("/");
  if (service !== "" && !store.resources.has(`run.googleapis.com/projects/${project}/locations/${region ?? ""}/services/${service}`))
    throw invalid(`There is no service ${service} of Cloud Run in ${region ?? ""}`);
}

/** Returns a value with the names of other resources as Compute Engine shows them: as addresses. */
function linked(value: unknown): unknown {
  if (typeof value === "string") return value.replace(COMPUTE_LINK, (_, path: string) => `${LINKS}${path}`);
  if (Array.isArray(value)) return value.map(linked);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, linked(field)]));
}
