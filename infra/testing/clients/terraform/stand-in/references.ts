import { at, type Fields, isFields, items, text } from "./json.ts";
import { grants } from "./policies.ts";
import { invalid, notFound } from "./refusal.ts";
import { digest, type Store } from "./store.ts";

/** A resource of Compute Engine, as a path or as an address. */
export const COMPUTE_LINK =
  /^(?:https:\/\/www\.googleapis\.com\/compute\/v1\/)?(projects\/[^/]+\/(?!global\/regions\/)(?:global|regions\/[^/]+)\/\w+\/[^/]+)$/;
/** Texts that are the name of a resource: the host that knows it, and where the resource's path is in the text. */
const NAMES: readonly (readonly [host: string, form: RegExp])[] = [
  ["compute.googleapis.com", COMPUTE_LINK],
  ["pubsub.googleapis.com", /^(?:(?:\/\/)?pubsub\.googleapis\.com\/)?(projects\/[^/]+\/topics\/[^/]+)$/],
  ["monitoring.googleapis.com", /^(projects\/[^/]+\/notificationChannels\/[^/]+)$/],
  ["secretmanager.googleapis.com", /^(projects\/[^/]+\/secrets\/[^/]+)$/],
  ["firebaserules.googleapis.com", /^(projects\/[^/]+\/rulesets\/[^/]+)$/],
  ["iam.googleapis.com", /^(projects\/[^/]+\/roles\/[^/]+)$/],
  ["run.googleapis.com", /^https:\/\/run\.googleapis\.com\/v2\/(projects\/.+):run$/],
  ["logging.googleapis.com", /^logging\.googleapis\.com\/(projects\/.+)$/],
  ["bigquery.googleapis.com", /^(?:bigquery\.googleapis\.com\/)?(projects\/[^/]+\/datasets\/.+)$/],
  ["monitoring.googleapis.com", /^select_slo_\w+\("([^"]+)"/],
];
const ACCOUNT = /^(?:serviceAccount:)?([^@\s]+@[\w.-]+\.gserviceaccount\.com)$/;
const BUCKET = /^storage\.googleapis\.com\/([^/]+)$/;
const SERVICE_URL = /^(https:\/\/[\w-]+\.a\.run\.app)(\/|$)/;
const LOG_METRIC = /metric\.type *= *"logging\.googleapis\.com\/user\/([^"]+)"/;
/** Fields that say what a resource is itself. */
const OWN: ReadonlySet<string> = new Set(["name", "email", "selfLink", "description"]);

/** Returns the address that Cloud Run gives a service. */
export function serviceUrl(project: string, service: string): string {
  return `https://${service}-${digest(project).slice(0, 10)}-lz.a.run.app`;
}

/** Throws a Refusal if a resource names anything that does not exist. `name` is its own `host/path`. */
export function checkReferences(store: Store, name: string, resource: Fields): void {
  const [, project = ""] = /\/projects\/([^/]+)/.exec(name) ?? [];
  const own = Object.entries(resource).filter(([field]) => !OWN.has(field));
  checkValue(store, project, Object.fromEntries(own));
  if (name.startsWith("storage.googleapis.com/") && name.includes("/notificationConfigs/")) checkPublisher(store, text(resource.topic));
}

function checkValue(store: Store, project: string, value: unknown): void {
  if (typeof value === "string") {
    checkText(store, project, value);
    return;
  }
  for (const item of items(value)) checkValue(store, project, item);
  if (!isFields(value)) return;
  if (value.bucketName !== undefined) need(store, `storage.googleapis.com/b/${text(value.bucketName)}`);
  checkTable(store, value);
  checkSecrets(store, project, value);
  for (const [field, one] of Object.entries(value)) if (field !== "description") checkValue(store, project, one);
}

function checkText(store: Store, project: string, value: string): void {
  for (const [host, form] of NAMES) {
    const [, path] = form.exec(value) ?? [];
    if (path !== undefined) need(store, `${host}/${store.withIds(path)}`);
  }
  const [, email] = ACCOUNT.exec(value) ?? [];
  if (email !== undefined && !store.hasAccount(email)) throw invalid(`Service account ${email} does not exist.`);
  const [, bucket] = BUCKET.exec(value) ?? [];
  if (bucket !== undefined) need(store, `storage.googleapis.com/b/${bucket}`);
  const [, url] = SERVICE_URL.exec(value) ?? [];
  if (url !== undefined && !serviceUrls(store).has(url)) throw invalid(`Nothing is at ${url}`);
  const [, metric] = LOG_METRIC.exec(value) ?? [];
  if (metric !== undefined) checkMetric(store, `logging.googleapis.com/projects/${project}/metrics/${metric}`, value);
}

function need(store: Store, name: string): Fields {
  const found = store.resources.get(name);
  if (!found) throw notFound(`${name} was not found`);
  return found;
}

function serviceUrls(store: Store): Set<string> {
  const names = [...store.resources.keys()].map((name) => /^run\.googleapis\.com\/projects\/([^/]+)\/.*\/services\/(.+)$/.exec(name) ?? []);
  return new Set(names.map(([, project = "", service = ""]) => serviceUrl(project, service)));
}

/** A filter of a metric of logs names only labels that the metric has. */
function checkMetric(store: Store, name: string, filter: string): void {
  const known = items(at(need(store, name), "metricDescriptor", "labels")).map((label) => at(label, "key"));
  for (const [, label] of filter.matchAll(/metric\.labels?\.(\w+)/g))
    if (!known.includes(label)) throw invalid(`${name} has no label ${label}`);
}

/** A dataset lets only views and datasets in that exist. */
function checkTable(store: Store, { view, dataset }: Fields): void {
  if (at(view, "tableId") !== undefined) need(store, `${datasetName(view)}/tables/${text(at(view, "tableId"))}`);
  if (at(dataset, "dataset", "datasetId") !== undefined) need(store, datasetName(at(dataset, "dataset")));
}

function datasetName(reference: unknown): string {
  return `bigquery.googleapis.com/projects/${text(at(reference, "projectId"))}/datasets/${text(at(reference, "datasetId"))}`;
}

/** A container starts only if its account may read its secrets. */
function checkSecrets(store: Store, project: string, { containers, serviceAccount }: Fields): void {
  for (const variable of items(containers).flatMap((container) => items(at(container, "env")))) {
    const secret = text(at(variable, "valueSource", "secretKeyRef", "secret"));
    if (secret === "") continue;
    const name = `secretmanager.googleapis.com/${secret.includes("/") ? store.withIds(secret) : `projects/${project}/secrets/${secret}`}`;
    need(store, name);
    if (!grants(store, name, "roles/secretmanager.secretAccessor", `serviceAccount:${text(serviceAccount)}`))
      throw invalid(`Permission denied on secret ${secret} for service account ${text(serviceAccount)}`);
  }
}

/** Cloud Storage tells a topic of objects only if its own account may publish there. */
function checkPublisher(store: Store, topic: string): void {
  const path = topic.replace(/^\/\/pubsub\.googleapis\.com\//, "");
  const [, project = ""] = /^projects\/([^/]+)/.exec(path) ?? [];
  const member = `serviceAccount:service-${store.numberOf(project)}@gs-project-accounts.iam.gserviceaccount.com`;
  if (!grants(store, `pubsub.googleapis.com/${path}`, "roles/pubsub.publisher", member))
    throw invalid(`${member} may not publish to ${topic}`);
}
